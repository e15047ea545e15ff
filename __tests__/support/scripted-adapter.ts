export { scriptedAdapter } from './scripted-server';
export type {
  Answer,
  Failure,
  Script,
  ScriptedAdapter,
  SentExchange,
  Silence,
  Step,
  Throw,
} from './scripted-server';
