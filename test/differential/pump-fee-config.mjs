/** Random fee schedules for SOL, dollars and other quotes: tiers by rising market cap, rates that together leave something over. */
export function randomFeeConfig(random) {
  const fees = () => ({
    lpBps: random.between(0n, 100n),
    protocolBps: random.between(0n, 200n),
    creatorBps: random.between(0n, 300n),
  });
  const tiers = () => {
    let from = random.chance(50) ? 0n : random.log(1n, 10n ** 10n);
    return Array.from({ length: random.int(1, 8) }, () => {
      const tier = { fromMarketCap: from, fees: fees() };
      from += random.log(1n, 10n ** 13n);
      return tier;
    });
  };
  const none = { lpBps: 0n, protocolBps: 0n, creatorBps: 0n };
  return {
    flat: fees(),
    tiers: tiers(),
    // Both are missing in configurations of earlier versions.
    stableTiers: random.chance(30) ? [] : tiers(),
    exotic: random.chance(30) ? none : fees(),
  };
}
