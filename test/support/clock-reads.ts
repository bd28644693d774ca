import { parseSync, Visitor } from 'oxc-parser';

type Render = { readonly name: string; readonly line: number; reads: number; readonly calls: string[] };

const READS = new Set(['now', 'earliest', 'latest']);

/**
 * The functions of a file of screens that read the clock more than once in one run: their own reads, those of the callbacks in
 * them, and those of the functions of the same file that they call. A maker of a feature is no run: its handlers are.
 */
export function doubleReads(file: string, source: string): readonly string[] {
  if (!/\b(now|earliest|latest)\(/.test(source)) return [];
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const renders: Render[] = [];
  const open: (Render | null)[] = [];
  let pendingName: string | null = null;
  const enter = (name: string | null, isAsync: boolean, start: number): void => {
    // A callback without a name belongs to the run that it is in.
    const isRun = isAsync || name !== null || open.length === 0;
    const render = {
      name: name ?? 'a handler',
      line: source.slice(0, start).split('\n').length,
      reads: 0,
      calls: [],
    };
    if (isRun) renders.push(render);
    open.push(isRun ? render : null);
  };
  const leave = (): void => void open.pop();
  new Visitor({
    VariableDeclarator: (node) => {
      const isFunction =
        node.init?.type === 'ArrowFunctionExpression' || node.init?.type === 'FunctionExpression';
      pendingName = isFunction && node.id.type === 'Identifier' ? node.id.name : pendingName;
    },
    FunctionDeclaration: (node) => enter(node.id?.name ?? null, node.async, node.start),
    'FunctionDeclaration:exit': leave,
    FunctionExpression: (node) => {
      enter(pendingName, node.async, node.start);
      pendingName = null;
    },
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: (node) => {
      enter(pendingName, node.async, node.start);
      pendingName = null;
    },
    'ArrowFunctionExpression:exit': leave,
    CallExpression: ({ callee }) => {
      const run = open.findLast((one) => one !== null);
      if (run === undefined || run === null) return;
      const name =
        callee.type === 'Identifier'
          ? callee.name
          : callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
            ? callee.property.name
            : '';
      if (READS.has(name)) run.reads += 1;
      else if (callee.type === 'Identifier') run.calls.push(name);
    },
  }).visit(program);
  return renders
    .filter((render) => render.reads > 0 && total(render, renders, new Set()) > 1)
    .map(({ name, line }) => `${file}:${line}: ${name}`);
}

/** Reads of a run with those of the functions that it calls; a function that calls itself counts once. */
function total(render: Render, renders: readonly Render[], seen: Set<string>): number {
  const called = [...new Set(render.calls)].flatMap((name) => {
    if (seen.has(name)) return [];
    const found = renders.find((one) => one.name === name);
    return found === undefined || found === render ? [] : [found];
  });
  return called.reduce(
    (sum, one) => sum + total(one, renders, new Set([...seen, ...render.calls])),
    render.reads,
  );
}
