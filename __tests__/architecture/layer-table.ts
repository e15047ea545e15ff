import type { ImportEdge } from './imports';

/** `types`: `import type` only. An absent column is forbidden. */
type Grant = 'value' | 'types';

export interface LayerTable {
  readonly rows: Readonly<Record<string, Readonly<Record<string, Grant>>>>;
  /** Packages by row; whatever is not listed is forbidden. */
  readonly packages: Readonly<Record<string, Readonly<Record<string, Grant>>>>;
}

/** The row or column of the table that a file belongs to. */
export function layerOf(file: string): string {
  const at = file.indexOf('/');
  if (at !== -1) return file.slice(0, at);
  return file.replace(/\.ts$/, '');
}

export function violationsOf(edges: readonly ImportEdge[], table: LayerTable): string[] {
  return edges.flatMap((edge) => {
    const fault = faultOf(edge, table);
    return fault === undefined ? [] : [`${edge.from} -> ${edge.to}: ${fault}`];
  });
}

function faultOf({ from, to, kind }: ImportEdge, { rows, packages }: LayerTable): string | undefined {
  const row = layerOf(from);
  const isPackage = !to.endsWith('.ts');
  const column = isPackage ? packageOf(to) : layerOf(to);
  if (!isPackage && column === row) return undefined;
  const grant = (isPackage ? packages : rows)[row]?.[column];
  if (grant === undefined) return `${row} may not import ${column}`;
  if (grant === 'types' && kind === 'value') return `${row} may import types only from ${column}`;
  return undefined;
}

/** date-fns has two entries here, because its barrel may give types and a subpath one function. */
function packageOf(specifier: string): string {
  if (/^date-fns\/\w+$/.test(specifier)) return 'date-fns/*';
  return specifier;
}

/** The first cycle found, as the files in order, or undefined. Type-only imports count. */
export function cycleIn(edges: readonly ImportEdge[]): string[] | undefined {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const search = (file: string, path: readonly string[]): string[] | undefined => {
    const seenAt = path.indexOf(file);
    if (seenAt !== -1) return [...path.slice(seenAt), file];
    if (done.has(file)) return undefined;
    for (const to of next.get(file) ?? []) {
      const cycle = search(to, [...path, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of next.keys()) {
    const cycle = search(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
