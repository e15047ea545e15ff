import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import ts from 'typescript';

/** One import or re-export line; paths are relative to lib, packages keep their specifier. */
export interface ImportEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: 'value' | 'types';
}

export const libRoot: string = join(__dirname, '../../lib');

export function sourceFiles(directory: string = libRoot): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

export function parseSource(file: string): ts.SourceFile {
  return parseText(file, readFileSync(join(libRoot, file), 'utf8'));
}

export function parseText(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

/**
 * Every import of a file, wherever it stands. `import { type A }` counts as a value: under
 * verbatimModuleSyntax the emitted line stays, and with it the dependency at run time.
 */
export function importsOf(source: ts.SourceFile): ImportEdge[] {
  const edges: ImportEdge[] = [];
  walk(source, (node) => {
    const found = importIn(node);
    if (found)
      edges.push({ from: source.fileName, to: resolve(source.fileName, found.to), kind: found.kind });
  });
  return edges;
}

export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

function importIn(node: ts.Node): { to: string; kind: ImportEdge['kind'] } | undefined {
  if (ts.isImportDeclaration(node)) {
    const typeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return { to: textOf(node.moduleSpecifier), kind: typeOnly ? 'types' : 'value' };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    return { to: textOf(node.moduleSpecifier), kind: node.isTypeOnly ? 'types' : 'value' };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { to: textOf(node.argument.literal), kind: 'types' };
  }
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    return { to: textOf(node.moduleReference.expression), kind: node.isTypeOnly ? 'types' : 'value' };
  }
  if (ts.isCallExpression(node) && isLoader(node.expression)) {
    return { to: textOf(node.arguments[0]), kind: 'value' };
  }
  return undefined;
}

function isLoader(callee: ts.Expression): boolean {
  return (
    callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require')
  );
}

function textOf(specifier: ts.Node | undefined): string {
  if (specifier && ts.isStringLiteralLike(specifier)) return specifier.text;
  throw new Error('An import whose target is computed cannot be checked');
}

function resolve(from: string, to: string): string {
  if (!to.startsWith('.')) return to;
  return posix.join(posix.dirname(from), to).replace(/\.js$/, '.ts');
}
