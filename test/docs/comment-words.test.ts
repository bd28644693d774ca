import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CEILINGS } from './comment-ceilings.ts';

/**
 * Comments are written for a reader with English as a second language, who reads once: the subject comes first, the verb second. Words
 * that turn a sentence around are counted per 1,000 words of a folder's comments.
 */
const TURNING = /\bwhat\b/gi;
const VAGUE = /\b(?:nobody|whoever|somebody|told|stands)\b/gi;
const GOAL = { turning: 3, vague: 1, long: 0 };
const LONGEST_SENTENCE = 30;

const ROOT = new URL('../../', import.meta.url);
const PARTS_OF_SRC = ['modules', 'engine', 'platform'];

type Counted = {
  readonly words: number;
  readonly turning: number;
  readonly vague: number;
  readonly long: number;
};

/** Doc comments, runs of line comments as one, and line comments behind code. */
function commentsOf(text: string): readonly string[] {
  const blocks = /\/\*\*?([\s\S]*?)\*\/|(?<=^|[\s;,{(])\/\/ (.*(?:\n[ \t]*\/\/ .*)*)/gm;
  return [...text.matchAll(blocks)].map(([, block, lines]) =>
    block === undefined
      ? (lines ?? '').replaceAll(/\n[ \t]*\/\/ /g, ' ')
      : block.replaceAll(/^\s*\* ?/gm, ''),
  );
}

function counted(comments: readonly string[]): Counted {
  const all = comments.join('\n');
  const sentences = comments.flatMap((text) => text.split(/[.:;?!](?=\s|$)|\n\s*\n|\n\s*[-|@]/));
  return {
    words: all.match(/[\p{L}'’]+/gu)?.length ?? 0,
    turning: all.match(TURNING)?.length ?? 0,
    vague: all.match(VAGUE)?.length ?? 0,
    long: sentences.filter((text) => (text.match(/\S+/g)?.length ?? 0) > LONGEST_SENTENCE).length,
  };
}

/** Which folder a file counts for: a noun of `src`, a package, or the scripts. */
function folderOf(path: string): string {
  const [root = '', first = '', second = ''] = path.split('/');
  if (root === 'scripts') return root;
  const isOfPart = root === 'src' && PARTS_OF_SRC.includes(first) && !second.endsWith('.ts');
  return isOfPart ? `src/${first}/${second}` : `${root}/${first}`;
}

function commentsByFolder(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const root of ['src', 'packages', 'scripts']) {
    for (const below of readdirSync(new URL(root, ROOT), { recursive: true, encoding: 'utf8' })) {
      if (!/\.m?ts$|\.mjs$/.test(below) || /(?:^|\/)(?:node_modules|generated|dist)\//.test(below)) continue;
      const path = `${root}/${below}`;
      const folder = folderOf(path);
      const comments = found.get(folder) ?? [];
      found.set(folder, comments);
      comments.push(...commentsOf(readFileSync(new URL(path, ROOT), 'utf8')));
    }
  }
  return found;
}

/** The kinds of which a folder has more than its ceiling. */
function over({ words, turning, vague, long }: Counted, most: typeof GOAL): readonly string[] {
  // A folder of few words may hold two.
  const allowed = (per1000: number): number => Math.max(2, Math.ceil((words * per1000) / 1_000));
  return [
    ...(turning > allowed(most.turning) ? [`"what" ${turning} times, at most ${allowed(most.turning)}`] : []),
    ...(vague > allowed(most.vague) ? [`nobody, told … ${vague} times, at most ${allowed(most.vague)}`] : []),
    ...(long > most.long ? [`${long} sentences of more than ${LONGEST_SENTENCE} words`] : []),
  ];
}

describe('the words of comments', () => {
  const folders = commentsByFolder();

  it('turn no more sentences around than the ceiling of their folder says', () => {
    const found = [...folders].flatMap(([folder, comments]) =>
      over(counted(comments), CEILINGS[folder] ?? GOAL).map((problem) => `${folder}: ${problem}`),
    );
    expect(folders.size).toBeGreaterThan(50);
    expect(found).toEqual([]);
  });

  it('have ceilings only where a folder is above the goal', () => {
    const idle = Object.keys(CEILINGS).filter((folder) => {
      const comments = folders.get(folder);
      return comments === undefined || over(counted(comments), GOAL).length === 0;
    });
    expect(idle).toEqual([]);
  });

  it('are read from each kind of comment, and not from code', () => {
    const source = [
      '/** What is first. */',
      '// A line that goes on',
      '// in the next one.',
      "const what = 'nobody told'; // somebody stands",
      'const link = "https://example.org/what";',
      '/**',
      ' * One of two lines,',
      ' * whoever reads it.',
      ' */',
    ].join('\n');
    const comments = commentsOf(source);
    expect(comments.map((text) => text.trim())).toEqual([
      'What is first.',
      'A line that goes on in the next one.',
      'somebody stands',
      'One of two lines,\nwhoever reads it.',
    ]);
    expect(counted(comments)).toMatchObject({ words: 21, turning: 1, vague: 3, long: 0 });
    const long = Array.from({ length: LONGEST_SENTENCE + 1 }, () => 'word').join(' ');
    expect(counted([`${long}.`, `${long.slice(5)}. Short.`]).long).toBe(1);
  });
});
