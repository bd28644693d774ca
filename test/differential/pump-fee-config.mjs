/** Random fee schedules: tiers by rising market cap, rates that together leave something over. */
export function randomFeeConfig(random) {
  const fees = () => ({
    lpBps: random.between(0n, 100n),
    protocolBps: random.between(0n, 200n),
    creatorBps: random.between(0n, 300n),
  });
  let from = random.chance(50) ? 0n : random.log(1n, 10n ** 10n);
  const tiers = Array.from({ length: random.int(1, 8) }, () => {
    const tier = { fromMarketCap: from, fees: fees() };
    from += random.log(1n, 10n ** 13n);
    return tier;
  });
  return { flat: fees(), tiers, stableTiers: [], exotic: fees() };
}
