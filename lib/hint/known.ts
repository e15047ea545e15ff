/** Without what is `undefined`: what is not known is not there, so that a log or a JSON text does not name it. */
export function known<const Facts extends object>(facts: Facts): Known<Facts> {
  const given: Partial<Facts> = {};
  for (const name in facts) if (facts[name] !== undefined) given[name] = facts[name];
  return given as unknown as Known<Facts>;
}

type Known<Facts> = {
  [Name in keyof Facts as undefined extends Facts[Name] ? never : Name]: Facts[Name];
} & {
  [Name in keyof Facts as undefined extends Facts[Name] ? Name : never]?: Exclude<Facts[Name], undefined>;
};
