import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vitest/node';
import { ringOf } from '../support/rings.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A node of the syntax tree: only the fields that are read here. */
type Node = {
  readonly type: string;
  readonly name?: string;
  readonly id?: Node | null;
  readonly key?: Node;
  readonly value?: unknown;
  readonly left?: Node;
  readonly literal?: Node;
  readonly typeName?: Node;
  readonly typeAnnotation?: Node | null;
  readonly typeArguments?: { readonly params: readonly Node[] } | null;
  readonly members?: readonly Node[];
  readonly types?: readonly Node[];
  readonly params?: readonly Node[];
  readonly body?: { readonly body: readonly Node[] };
  readonly declaration?: Node | null;
  readonly specifiers?: readonly { readonly imported?: Node }[];
  readonly source?: { readonly value: string };
};
type Named = { readonly file: string; readonly node: Node };

function parsed(text: string): readonly Node[] {
  return (parseAst(text, { lang: 'ts' }) as unknown as { readonly body: readonly Node[] }).body;
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
    .map((name) => join(folder, name));

/** The verbs of the nouns; the parts of a kind of intent are called by the engine alone. */
const isUseCase = (file: string): boolean =>
  /^src\/(engine|modules)\//.test(file) &&
  !file.startsWith('src/engine/intents/kinds/') &&
  ringOf(file.slice('src/'.length)) === 'use';
const IDS = new Set(['id', 'idemKey', 'placeKey']);
const isId = (name: string): boolean => name !== 'userId' && (name.endsWith('Id') || IDS.has(name));

/** `file#function` → the ids beside `userId` that it is given, for each use case that a chat, a page or the composition calls. */
export function useCaseIds(
  sources: ReadonlyMap<string, string> = readSources(),
): ReadonlyMap<string, readonly string[]> {
  const types = new Map<string, readonly Named[]>();
  const functions: Named[] = [];
  const called = new Set<string>();
  for (const [file, text] of sources) {
    for (const node of parsed(text)) {
      const { type, declaration, source, specifiers = [] } = node;
      const isOutside =
        (!isUseCase(file) && !file.startsWith('src/engine/intents/kinds/')) || file.endsWith('/index.ts');
      if (type === 'ImportDeclaration' && isOutside)
        for (const { imported } of specifiers)
          called.add(`${target(file, source?.value ?? '')}#${imported?.name}`);
      const declared = type === 'ExportNamedDeclaration' ? declaration : node;
      const name = declared?.id?.name;
      if (declared === null || declared === undefined || name === undefined) continue;
      if (declared.type === 'TSTypeAliasDeclaration' || declared.type === 'TSInterfaceDeclaration')
        types.set(name, [...(types.get(name) ?? []), { file, node: declared }]);
      if (type === 'ExportNamedDeclaration' && declared.type === 'FunctionDeclaration')
        if (isUseCase(file)) functions.push({ file, node: declared });
    }
  }
  const found = functions
    .map(({ file, node }) => [`${file}#${node.id?.name}`, namesOf(types, file, node)] as const)
    .filter(([name, names]) => called.has(name) && names.includes('userId') && names.some(isId));
  return new Map(found.map(([name, names]) => [name.slice('src/'.length), [...new Set(names.filter(isId))]]));
}

function readSources(): ReadonlyMap<string, string> {
  return new Map(filesIn('src').map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
}

const target = (from: string, path: string): string =>
  path.startsWith('.') ? relative(ROOT, join(ROOT, dirname(from), path)) : path;

/** The names of a function's inputs: its text parameters, and the fields of its objects but for the dependencies before them. */
function namesOf(
  types: ReadonlyMap<string, readonly Named[]>,
  file: string,
  { params = [] }: Node,
): readonly string[] {
  const given = params.map((one) => (one.type === 'AssignmentPattern' ? (one.left ?? one) : one));
  return given.flatMap((one, index) => {
    const type = one.typeAnnotation?.typeAnnotation;
    if (type?.type === 'TSStringKeyword') return one.name === undefined ? [] : [one.name];
    return index === 0 && given.length > 1 ? [] : keysOf(types, file, type, 0);
  });
}

/** The field names of a type, followed through aliases, intersections, Pick and Omit. */
function keysOf(
  types: ReadonlyMap<string, readonly Named[]>,
  file: string,
  node: Node | null | undefined,
  depth: number,
): readonly string[] {
  if (node === null || node === undefined || depth > 9) return [];
  const inner = (one: Node | null | undefined, where = file) => keysOf(types, where, one, depth + 1);
  const args = node.typeArguments?.params ?? [];
  switch (node.type) {
    case 'TSTypeLiteral':
      return (node.members ?? []).flatMap(({ key }) => (key?.name === undefined ? [] : [key.name]));
    case 'TSIntersectionType':
    case 'TSUnionType':
      return (node.types ?? []).flatMap((one) => inner(one));
    case 'TSTypeAliasDeclaration':
      return inner(node.typeAnnotation);
    case 'TSInterfaceDeclaration':
      return (node.body?.body ?? []).flatMap(({ key }) => (key?.name === undefined ? [] : [key.name]));
    case 'TSTypeReference': {
      const name = node.typeName?.name ?? '';
      if (name === 'Pick' || name === 'Omit') {
        const picked = (args[1]?.types ?? args.slice(1)).map((one) => one.literal?.value);
        return inner(args[0]).filter((key) => picked.includes(key) === (name === 'Pick'));
      }
      if (name === 'Partial' || name === 'Readonly') return inner(args[0]);
      const known = types.get(name) ?? [];
      const own = known.find((one) => one.file === file);
      return (own === undefined ? known : [own]).flatMap((one) => inner(one.node, one.file));
    }
    default:
      return [];
  }
}
