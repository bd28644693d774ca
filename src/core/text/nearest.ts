/** So short a word is no beginning of another: nearly every word would do. */
const SHORTEST_BEGINNING = 3;

/**
 * The known words that a person who typed `word` may have meant: those that begin with it, else those that are fewest slips away. A slip is
 * a letter too many, a letter missing, a wrong one, or two that changed places. At most one slip in three letters, and at most two. In the
 * order of `known`; empty where nothing is near.
 */
export function nearestWords(word: string, known: readonly string[]): readonly string[] {
  const typed = word.toLowerCase();
  const begun =
    typed.length < SHORTEST_BEGINNING ? [] : known.filter((one) => one !== typed && one.startsWith(typed));
  if (begun.length > 0 && !known.includes(typed)) return begun;
  const allowed = Math.min(2, Math.floor(typed.length / 3));
  const slips = known.map((one) => slipsBetween(typed, one));
  const fewest = Math.min(...slips);
  return fewest > allowed ? [] : known.filter((_one, index) => slips[index] === fewest);
}

/** Optimal string alignment: the usual table, of which each line needs the two before it. */
function slipsBetween(a: string, b: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_none, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const wrong = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line.push(
        Math.min(
          (last[column] ?? Infinity) + 1,
          (line[column - 1] ?? Infinity) + 1,
          (last[column - 1] ?? Infinity) + wrong,
          swapped ? (before[column - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, line];
  }
  return last[b.length] ?? Infinity;
}
