import { join } from 'node:path';
import ts from 'typescript';
import { libRoot } from '../architecture/imports';

/** As much of JSON Schema as types of plain data need. */
export interface Schema {
  readonly $schema?: string;
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** The JSON Schema of `JournalEntry`, read from its type: a definition for each event, and for each named type. */
export function entrySchema(): Schema {
  const types = new TypeReader();
  const events = types.entries().flatMap(eachEvent);
  const $defs = Object.fromEntries([...events, ...types.named].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'An entry of a journal of axios-heed',
    oneOf: events.map(([event]) => ({ $ref: refOf(event) })),
    $defs,
  };
}

/** One definition for each event, also where two have one type. */
function eachEvent(schema: Schema): readonly (readonly [string, Schema])[] {
  const { event, ...properties } = schema.properties ?? {};
  return (event?.enum ?? [event?.const])
    .map(String)
    .map((name) => [name, { ...schema, properties: { event: { const: name }, ...properties } }]);
}

class TypeReader {
  readonly named: Map<string, Schema> = new Map();
  readonly #checker: ts.TypeChecker;
  readonly #entry: ts.Node;

  constructor() {
    const config = ts.readConfigFile(join(libRoot, '../tsconfig.json'), (path) => ts.sys.readFile(path));
    const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, join(libRoot, '..'));
    const file = join(libRoot, 'operation/journal-entry.ts');
    const program = ts.createProgram([file], options);
    const found = program
      .getSourceFile(file)
      ?.statements.find((one) => ts.isTypeAliasDeclaration(one) && one.name.text === 'JournalEntry');
    if (found === undefined) throw new Error('no type JournalEntry');
    this.#checker = program.getTypeChecker();
    this.#entry = found;
  }

  entries(): readonly Schema[] {
    const type = this.#checker.getTypeAtLocation(this.#entry);
    return (type.isUnion() ? type.types : [type]).map((one) => this.#object(one));
  }

  #schemaOf(type: ts.Type): Schema {
    const name = type.aliasSymbol?.name ?? (type.isClassOrInterface() ? type.symbol.name : undefined);
    if (name === undefined || name.startsWith('Readonly')) return this.#shapeOf(type);
    if (!this.named.has(name)) this.named.set(name, this.#shapeOf(type));
    return { $ref: refOf(name) };
  }

  #shapeOf(type: ts.Type): Schema {
    const { flags } = type;
    if (type.isUnion()) return this.#union(type.types);
    if (type.isLiteral()) return { const: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral) return { const: this.#checker.typeToString(type) === 'true' };
    if (flags & ts.TypeFlags.String) return { type: 'string' };
    if (flags & ts.TypeFlags.Number) return { type: 'number' };
    const [item] = this.#checker.isArrayType(type)
      ? this.#checker.getTypeArguments(type as ts.TypeReference)
      : [];
    if (item !== undefined) return { type: 'array', items: this.#schemaOf(item) };
    if (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return this.#object(type);
    throw new Error(`No JSON has the type ${this.#checker.typeToString(type)}`);
  }

  #union(types: readonly ts.Type[]): Schema {
    const parts = types
      .filter(({ flags }) => !(flags & ts.TypeFlags.Undefined))
      .map((type) => this.#schemaOf(type));
    const values = parts.flatMap((part) => ('const' in part ? [part.const] : [])).sort();
    const others = parts.filter((part) => !('const' in part));
    // The order of a union's members depends on what the compiler saw first.
    const anyOf = others.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    if (values.length === 1) anyOf.push({ const: values[0] });
    else if (values.length > 1) anyOf.push(values.every(isBoolean) ? { type: 'boolean' } : { enum: values });
    return anyOf.length === 1 ? (anyOf[0] ?? {}) : { anyOf };
  }

  #object(type: ts.Type): Schema {
    const members = this.#checker.getPropertiesOfType(type);
    const required = members.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional));
    return {
      type: 'object',
      properties: Object.fromEntries(members.map((member) => [member.name, this.#member(member)])),
      required: required.map(({ name }) => name),
      additionalProperties: false,
    };
  }

  #member(member: ts.Symbol): Schema {
    const schema = this.#schemaOf(this.#checker.getTypeOfSymbolAtLocation(member, this.#entry));
    const comment = ts.displayPartsToString(member.getDocumentationComment(this.#checker));
    const description = comment.replace(/\s+/g, ' ');
    return description === '' ? schema : { description, ...schema };
  }
}

function refOf(name: string): string {
  return `#/$defs/${name}`;
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

/** All names of members that a definition leads to. */
export function namesIn(name: string, $defs: Readonly<Record<string, Schema>>): ReadonlySet<string> {
  const names: Set<string> = new Set();
  const seen: Set<string> = new Set();
  const look = ({ $ref, properties = {}, items, anyOf = [] }: Schema): void => {
    for (const member of Object.keys(properties)) names.add(member);
    for (const part of [...Object.values(properties), ...anyOf, ...(items ? [items] : [])]) look(part);
    const def = $ref?.replace(refOf(''), '');
    if (def === undefined || seen.has(def)) return;
    seen.add(def);
    look($defs[def] ?? {});
  };
  look({ $ref: refOf(name) });
  return names;
}
