/** A part of the documentation: a section of a guide, or an operation. */
export type Passage = { readonly path: string; readonly title: string; readonly text: string };

/** The sections of a guide in Markdown, each with the titles above it. A `#` in a block of code is no title. */
export function passagesOf(path: string, markdown: string): readonly Passage[] {
  const found: { title: string; lines: string[] }[] = [];
  let guide = '';
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, level, title] = isCode ? [] : (/^(#{1,3}) (.+)$/.exec(line) ?? []);
    if (title !== undefined) {
      if (level === '#') guide = title;
      found.push({ title: level === '#' ? title : `${guide}: ${title}`, lines: [] });
    } else found.at(-1)?.lines.push(line);
  }
  return found
    .map(({ title, lines }) => ({ path, title, text: lines.join('\n').trim() }))
    .filter(({ text }) => text !== '');
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/**
 * Passages with words of the query, best first. A rare word weighs more than a common one, a word of the title three times as much as one
 * of the text, and each repetition adds less. Equal weights keep the order of the documentation.
 */
export function rank(passages: readonly Passage[], query: string): readonly Passage[] {
  const wanted = [...new Set(wordsOf(query))];
  const counted = passages.map((passage) => ({
    passage,
    counts: countsOf(passage),
  }));
  const rarity = new Map(
    wanted.map((word) => {
      const having = counted.filter(({ counts }) => counts.has(word)).length;
      return [word, having === 0 ? 0 : Math.log(1 + passages.length / having)];
    }),
  );
  return counted
    .map(({ passage, counts }) => ({
      passage,
      weight: wanted.reduce((sum, word) => {
        const count = counts.get(word) ?? 0;
        return sum + ((rarity.get(word) ?? 0) * count) / (count + 2);
      }, 0),
    }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ passage }) => passage);
}

function countsOf({ title, text }: Passage): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (word: string, more: number): void => void counts.set(word, (counts.get(word) ?? 0) + more);
  for (const word of wordsOf(text)) add(word, 1);
  for (const word of wordsOf(title)) add(word, 3);
  return counts;
}
