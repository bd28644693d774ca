/** The exit code of a run that missed its planted fault. */
const MISSED = 3;

/** Says whether a judge named the planted fault by one of its rules. The exit code: 1 where it did, as for any run with a problem, else 3. */
export function endOfPlant(
  plant: string,
  rules: readonly string[],
  problems: readonly { readonly rule: string }[],
): number {
  const found = rules.filter((one) => problems.some(({ rule }) => rule === one));
  const verdict = found.length > 0 ? `was found: ${found.join(', ')}` : 'was NOT found';
  console.log(`the planted ${plant} ${verdict}`);
  return found.length > 0 ? 1 : MISSED;
}
