import { createHash } from 'node:crypto';
import type { RedisScript } from './redis-port.js';

/**
 * The rules of a gate's ledger, in one atomic step, by the server's clock: the same as `store/ledger.ts`. Two keys
 * of one slot: a hash, and those who share the gate by when they count no more. Commands of Redis 6.2 only.
 *
 * ARGV: kind, sender, channel, name, memberMs, accepted, then what the kind brings.
 */
const TEXT = `
local gate, members = KEYS[1], KEYS[2]
local kind, me, channel, name = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local memberMs, accepted = tonumber(ARGV[5]), tonumber(ARGV[6])
local first, second, third = ARGV[7], ARGV[8], ARGV[9]
local keptMs = 60000

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('HMGET', gate, 'until', 'hint', 'owner', 'leased', 'generation', 'released', 'took', 'accepted', 'pace', 'exchange')
local heldUntil, hint = tonumber(known[1]), tonumber(known[2]) or 0
local owner, leased = known[3], tonumber(known[4]) or 0
local generation = tonumber(known[5]) or 0
local released, took = tonumber(known[6]), tonumber(known[7])
local total = (tonumber(known[8]) or 0) + accepted
local pace, exchange = tonumber(known[9]), tonumber(known[10])
if leased <= now then owner, leased = false, 0 end

redis.call('ZREMRANGEBYSCORE', members, '-inf', now)
if memberMs > 0 then
  redis.call('ZADD', members, now + memberMs, me)
else
  redis.call('ZREM', members, me)
end
local size = redis.call('ZCARD', members)

local function stand()
  if heldUntil and heldUntil > now then return { kind = 'held', forMs = heldUntil - now, hintMs = hint } end
  if released then return { kind = 'released' } end
  if owner == me then return { kind = 'yours', generation = generation } end
  if owner then return { kind = 'probed', forMs = leased - now } end
  if heldUntil then return { kind = 'over' } end
  return { kind = 'unknown' }
end

local news, last
if kind == 'met' then
  local doubled = size > 1
  local rest = size
  while rest > 1 do
    if rest % 2 == 1 then doubled = false end
    rest = math.floor(rest / 2)
  end
  if doubled and stand().kind == 'unknown' then news = stand() end
elseif kind == 'over' then
  local free = (heldUntil or 0) <= now and not released
  if free and (not owner or owner == me) then
    if not owner then generation = generation + 1 end
    heldUntil = heldUntil or now
    owner, leased = me, now + tonumber(first)
  end
elseif kind == 'left' then
  if owner == me then
    owner, leased = false, 0
    if stand().kind == 'over' then news = stand() end
  end
elseif kind == 'held' then
  local forMs = tonumber(first)
  if now + forMs > math.max(now, heldUntil or 0) then
    heldUntil, hint = now + forMs, tonumber(second)
    if released then took = now - released end
    owner, leased, released = false, 0, nil
    news = { kind = 'held', forMs = forMs, hintMs = hint }
  end
elseif kind == 'accepted' then
  if tonumber(first) == generation and (heldUntil or 0) <= now then
    if took then last = { accepted = total, tookMs = took } end
    owner, leased, released, took, total = false, 0, now, nil, 0
    pace, exchange = tonumber(second), tonumber(third)
    news = { kind = 'released' }
  end
elseif kind == 'paced' then
  if released then
    pace = tonumber(first)
    news = { kind = 'released' }
  end
elseif kind == 'let-go' then
  heldUntil, owner, leased, released = now, false, 0, nil
  news = { kind = 'let-go' }
end

local function text(value)
  if value then return string.format('%.17g', value) end
  return ''
end
redis.call('HSET', gate, 'until', text(heldUntil), 'hint', text(hint), 'owner', owner or '', 'leased', text(leased),
  'generation', text(generation), 'released', text(released), 'took', text(took), 'accepted', text(total), 'pace', text(pace), 'exchange', text(exchange))
redis.call('PEXPIRE', gate, math.ceil(math.max(heldUntil or 0, leased, now) - now) + keptMs)
if size > 0 then redis.call('PEXPIRE', members, keptMs) end

local function word(about)
  return { gate = about, members = math.max(1, size), perSecond = pace, exchangeMs = exchange, lastRelease = last }
end
if news then
  redis.call('PUBLISH', channel, cjson.encode({ name = name, from = me, word = word(news) }))
end
return cjson.encode(word(stand()))
`;

export const LEDGER_SCRIPT: RedisScript = {
  text: TEXT,
  digest: createHash('sha1').update(TEXT).digest('hex'),
};
