/** A piece of a guide. Guides are written in a small part of Markdown. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: 'code'; readonly language: string; readonly text: string };

export type Span =
  | { readonly kind: 'text' | 'code' | 'strong'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

/** The blocks of a guide in order. Lines of no other form are a paragraph. */
export function readMarkdown(source: string): readonly Block[] {
  const lines = source.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      at += 1;
      continue;
    }
    const { block, next } = blockAt(lines, at, line);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

type Read = { readonly block: Block; readonly next: number };

function blockAt(lines: readonly string[], at: number, line: string): Read {
  const fence = /^```(\w*)$/.exec(line);
  if (fence !== null) return code(lines, at, fence[1] ?? '');
  const heading = /^(#{1,3}) (.+)$/.exec(line);
  if (heading !== null) {
    const level = (heading[1] ?? '#').length === 1 ? 1 : heading[1]?.length === 2 ? 2 : 3;
    return { block: { kind: 'heading', level, text: heading[2] ?? '' }, next: at + 1 };
  }
  const next = lines.findIndex((one, index) => index > at && endsParagraph(one));
  const end = next === -1 ? lines.length : next;
  const own = lines.slice(at, end);
  if (line.startsWith('|')) return { block: table(own), next: end };
  if (line.startsWith('- ')) return { block: list(own), next: end };
  return { block: { kind: 'paragraph', text: own.join(' ') }, next: end };
}

const endsParagraph = (line: string): boolean => line.trim() === '' || /^(```|#{1,3} )/.test(line);

function code(lines: readonly string[], at: number, language: string): Read {
  const close = lines.indexOf('```', at + 1);
  const end = close === -1 ? lines.length : close;
  return {
    block: { kind: 'code', language, text: `${lines.slice(at + 1, end).join('\n')}\n` },
    next: end + 1,
  };
}

function table(lines: readonly string[]): Block {
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return { kind: 'table', head, rows };
}

/** An item may go on in the next line, which does not begin with a dash. */
function list(lines: readonly string[]): Block {
  const items: string[] = [];
  for (const line of lines)
    if (line.startsWith('- ')) items.push(line.slice(2));
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  return { kind: 'list', items };
}

/** The parts of a line. A link leads to this site or to https; any other is text. */
export function readSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const match of text.matchAll(
    /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\((\/[\w./#-]*|https:\/\/[^\s)]+)\)/g,
  )) {
    const [whole, own, strong, label, href] = match;
    if (match.index > from) spans.push({ kind: 'text', text: text.slice(from, match.index) });
    if (own !== undefined) spans.push({ kind: 'code', text: own });
    else if (strong !== undefined) spans.push({ kind: 'strong', text: strong });
    else if (label !== undefined && href !== undefined) spans.push({ kind: 'link', text: label, href });
    from = match.index + whole.length;
  }
  if (from < text.length) spans.push({ kind: 'text', text: text.slice(from) });
  return spans;
}
