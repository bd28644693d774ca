const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/**
 * The members of a JSON object by name, each as the text that it was written in: numbers above 2^53 keep all digits. Of two
 * members of one name the later counts, as in `JSON.parse`. `text` must be valid JSON of an object.
 */
export function rawMembers(text: string): ReadonlyMap<string, string> {
  return new Map(
    partsOf(text).map((part) => {
      const end = endOfString(part, 0) + 1;
      const name: unknown = JSON.parse(part.slice(0, end));
      return [String(name), part.slice(part.indexOf(':', end) + 1).trim()];
    }),
  );
}

/** The items of a JSON list, each as the text that it was written in. `text` must be valid JSON of a list. */
export function rawItems(text: string): readonly string[] {
  return partsOf(text);
}

function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  const take = (to: number): void => {
    const part = text.slice(from, to).trim();
    if (part !== '') parts.push(part);
    from = to + 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (OPENING.has(code)) {
      depth += 1;
      if (depth === 1) from = at + 1;
    } else if (CLOSING.has(code)) {
      depth -= 1;
      if (depth === 0) take(at);
    } else if (code === COMMA && depth === 1) take(at);
  }
  return parts;
}

/** Where the string that begins at `from` ends. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((at - 1 - before) % 2 === 0) return at;
  }
  return text.length;
}
