/** The ways in which two signers can be wrong: see `judgeSigners`. */
export type SignerRule = 'side-by-side' | 'two-journals' | 'unwritten';

export type SignerProblem = { readonly rule: SignerRule; readonly what: string };

/** The moment in which the lease went to another signer, in milliseconds of the database's clock, as a trigger on its row noted it. */
export type JudgedTerm = {
  readonly at: number;
  readonly holder: string;
  /** The end of the new term. One that is over at once gives the lease back. */
  readonly ends: number;
  readonly former: string;
  /** The end of the former term, as its holder renewed it last. */
  readonly formerEnds: number;
};

export type SignerCase = {
  readonly terms: readonly JudgedTerm[];
  /** The lines of each signer's folder, the older ones first. Null during a storm, in which one may lack some. */
  readonly journals: Readonly<Record<string, readonly string[]>> | null;
  /** Signatures that left a signer, each of a row. */
  readonly given: readonly string[];
};

/** Terms that overlap, folders with different lines, and signatures that left without their line on every disk. */
export function judgeSigners({ terms, journals, given }: SignerCase): readonly SignerProblem[] {
  const problems: SignerProblem[] = [];
  for (const { at, holder, ends, former, formerEnds } of terms)
    if (former !== '' && formerEnds > at && ends > at) {
      const early = Math.round(formerEnds - at);
      problems.push({
        rule: 'side-by-side',
        what: `${holder} took the lease ${early} ms before ${former}'s ended`,
      });
    }
  if (journals === null) return problems;
  const [[name, lines], ...others] = Object.entries(journals) as [
    [string, readonly string[]],
    ...[string, readonly string[]][],
  ];
  for (const [other, theirs] of others) {
    const at = firstDifference(lines, theirs);
    if (at !== null)
      problems.push({
        rule: 'two-journals',
        what: `${name} has ${lines.length} lines and ${other} ${theirs.length}; they differ from line ${at + 1} on`,
      });
  }
  for (const [own, mine] of Object.entries(journals)) {
    const signed = mine.filter((line) => line.includes('"kind":"signed"')).join('\n');
    for (const signature of given)
      if (!signed.includes(signature))
        problems.push({
          rule: 'unwritten',
          what: `${signature} left a signer, and ${own} has no line of it`,
        });
  }
  return problems;
}

/** The place of the first line that is not the same; null where all are. */
function firstDifference(one: readonly string[], other: readonly string[]): number | null {
  const most = Math.max(one.length, other.length);
  for (let at = 0; at < most; at += 1) if (one[at] !== other[at]) return at;
  return null;
}
