import { join } from 'node:path';
import ts from 'typescript';
import { repository } from './markdown';
import type { CodeBlock } from './markdown';

/** What the compiler says to code blocks, each a module of its own; a block uses what `prelude` declares. */
export function typeErrorsIn(blocks: readonly CodeBlock[]): readonly string[] {
  const options = compilerOptions();
  const texts = new Map(blocks.map((block, at) => [fileOf(at), `${block.text}\nexport {};\n`]));
  texts.set(PRELUDE, prelude);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  const program = ts.createProgram([...texts.keys()], options, host);
  const sources = [...texts.keys()].map((file) => program.getSourceFile(file));
  const found = sources.flatMap((source) => [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ]);
  return found.map((diagnostic) => lineOf(diagnostic, blocks));
}

const DIRECTORY = join(repository, '__tests__/docs');
const PRELUDE = join(DIRECTORY, 'prelude.ts');

/** What the blocks of a page take for granted. */
const prelude = `
import type { AxiosInstance } from 'axios';
import type { HeedPolicy, Heeding } from 'axios-heed';
declare global {
  const api: AxiosInstance;
  const heeding: Heeding;
  const order: object;
  const incoming: { readonly deadline: Date };
  function signatureOf(text: string): string;
  function refreshToken(): Promise<string>;
  function log(...facts: readonly unknown[]): void;
  function render(): void;
  function heed(instance: AxiosInstance, policy?: HeedPolicy): Heeding;
}
`;

function fileOf(at: number): string {
  return join(DIRECTORY, `block-${at}.ts`);
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(repository, '__tests__/tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(repository, '__tests__'));
  const lib = (file: string): string[] => [join(repository, 'lib', file)];
  return {
    ...options,
    module: ts.ModuleKind.ESNext, // blocks await at the top
    noUnusedLocals: false,
    noUnusedParameters: false,
    skipLibCheck: true,
    paths: {
      'axios-heed': lib('index.ts'),
      'axios-heed/redis': lib('redis/index.ts'),
      'axios-heed/store': lib('store/index.ts'),
      'axios-heed/testing': lib('testing/index.ts'),
      'axios-heed/broadcast': lib('broadcast/index.ts'),
      'axios-heed/describe': lib('describe/index.ts'),
      'axios-heed/journal': lib('journal/index.ts'),
      'axios-heed/node': lib('node/index.ts'),
      'axios-heed/otel': lib('otel/index.ts'),
      'axios-heed/rate-limit': lib('rate-limit/index.ts'),
      'axios-heed/vendors': lib('vendors/index.ts'),
      'axios-heed/retry-after': lib('hint/retry-after.ts'),
    },
  };
}

function lineOf({ file, messageText }: ts.Diagnostic, blocks: readonly CodeBlock[]): string {
  const block = blocks.find((_, at) => fileOf(at) === file?.fileName);
  return `${block?.place ?? String(file?.fileName)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
}
