/**
 * The lamports for which the vendor's SDK buys what the program sells for `lamports`. The SDK takes one lamport off and divides
 * the fees out; the program (`buy_exact_sol_in`, whose interface says so, and which was run) divides the fees out of all,
 * takes off what rounding both of them up costs more, and keeps one lamport of the rest.
 */
export function sdkSpend(lamports, { protocolFeeBps, creatorFeeBps }) {
  const rates = [protocolFeeBps, creatorFeeBps].map((rate) => BigInt(rate.toString()));
  const total = 10_000n + rates[0] + rates[1];
  const net = (lamports * 10_000n) / total;
  const fees = rates.reduce((sum, rate) => sum + (net * rate + 9_999n) / 10_000n, 0n);
  const excess = net + fees - lamports;
  const spent = net - (excess > 0n ? excess : 0n) - 1n;
  return spent <= 0n ? 1n : (spent * total + 9_999n) / 10_000n + 1n;
}
