import { parseSync, Visitor } from 'oxc-parser';

/** Functions whose answer is a moment of a wall clock, in epoch milliseconds or seconds. */
const READS = new Set(['now', 'earliest', 'latest', 'earliestOf', 'latestOf', 'nowSeconds']);
/** A clock that cannot be set: a difference of two of its reads is a duration. */
const STEADY = new Set(['performance']);

type Node = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name?: unknown;
  readonly value?: unknown;
  readonly computed?: unknown;
  readonly property?: unknown;
  readonly object?: unknown;
  readonly callee?: unknown;
  readonly left?: unknown;
  readonly right?: unknown;
  readonly consequent?: unknown;
  readonly alternate?: unknown;
};
export type Difference = { readonly line: number; readonly text: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** The last name of `a.b.c` or `c`; null for other expressions. */
function lastName(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'Identifier') return String(node.name);
  if (node.type === 'MemberExpression' && node.computed !== true) return lastName(node.property);
  return null;
}

function isRead(node: unknown): boolean {
  if (!isNode(node) || node.type !== 'CallExpression' || !isNode(node.callee)) return false;
  const { callee } = node;
  if (callee.type === 'MemberExpression' && STEADY.has(lastName(callee.object) ?? '')) return false;
  return READS.has(lastName(callee) ?? '');
}

/** A span with a name that says so: `WEEK_MS`, `2 * DAY`, `limit.windowMs`, `KEEP.bars[5]`, or a number. */
function isSpan(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node.type === 'Literal') return typeof node.value === 'number';
  if (node.type === 'BinaryExpression') return isSpan(node.left) || isSpan(node.right);
  if (node.type === 'ConditionalExpression') return isSpan(node.consequent) && isSpan(node.alternate);
  if (node.type === 'MemberExpression') {
    return isSpanName(lastName(node)) || isSpan(node.object);
  }
  return isSpanName(lastName(node));
}

const isSpanName = (name: string | null): boolean =>
  name !== null && /^[A-Z][A-Z0-9_]*$|Ms$|^seconds$/.test(name);

/**
 * Each subtraction in `source` that has a read of a wall clock on one side and no named span behind it. A variable that is made of a
 * read counts as one, and so does any `now`.
 */
export function clockDifferences(file: string, source: string): readonly Difference[] {
  // Most files read no clock, and parsing is dear.
  if (!/\b(now|earliest|latest)(Of|Seconds)?\b/.test(source)) return [];
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const names = new Set(['now']);
  const found: Difference[] = [];
  const isClock = (node: unknown): boolean =>
    isRead(node) || (isNode(node) && node.type === 'Identifier' && names.has(String(node.name)));
  const note = (node: Node): void => {
    found.push({
      line: source.slice(0, node.start).split('\n').length,
      text: source.slice(node.start, node.end).replace(/\s+/g, ' '),
    });
  };
  const judge = (node: Node, left: unknown, right: unknown): void => {
    if ((isClock(left) && !isSpan(right)) || isClock(right)) note(node);
  };
  new Visitor({
    VariableDeclarator: (node) => {
      if (node.id.type === 'Identifier' && isRead(node.init)) names.add(node.id.name);
    },
  }).visit(program);
  new Visitor({
    BinaryExpression: (node) => {
      if (node.operator === '-') judge(node, node.left, node.right);
    },
    AssignmentExpression: (node) => {
      if (node.operator === '-=') judge(node, node.left, node.right);
    },
  }).visit(program);
  return found;
}
