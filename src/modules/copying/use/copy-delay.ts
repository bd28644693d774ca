import type { Chain } from '../../../platform/ports/chain.ts';
import { copyDelaySlots } from '../rules/copy-delay.ts';
import type { CopyStore } from '../store-port.ts';

/** The desk's own copies that count. */
const MEASURED = 100;

/** Milliseconds that a copy trades behind its leader, by the desk's last 100 copied purchases. Throws DATABASE_UNREACHABLE. */
export async function copyDelayMs({
  db,
  chain,
}: {
  readonly db: { readonly copies: Pick<CopyStore, 'slotsBehind'> };
  readonly chain: Pick<Chain, 'slotMs'>;
}): Promise<number> {
  return copyDelaySlots(await db.copies.slotsBehind(MEASURED)) * chain.slotMs();
}
