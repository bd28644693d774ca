import type { SignerDeps } from './deps.ts';

/** How long a proof is good for: two passphrases are typed meanwhile. */
const GOOD_FOR_MS = 15 * 60_000;

type Act = { readonly userId: string; readonly walletId: string; readonly pinHash: string };

/** Proofs that a person was right with their PIN a moment ago, for one export of one wallet. */
export type ExportProofs = {
  make(act: Act): string;
  /** True once for each proof that was made for exactly this act and is not too old. */
  use(proof: string, act: Act): boolean;
};

/**
 * The proof carries its own end and is sealed together with person, wallet and the PIN's hash, so that it survives a restart,
 * fits nobody else's wallet and is void when the PIN changes. Those that were used are remembered until their end.
 */
export function createExportProofs({
  seals,
  clock,
  ids,
}: Pick<SignerDeps, 'seals' | 'clock' | 'ids'>): ExportProofs {
  const used = new Map<string, number>();
  const textOf = (until: number, nonce: string, { userId, walletId, pinHash }: Act): string =>
    `tradepost/export/1\n${until}\n${nonce}\n${userId}\n${walletId}\n${pinHash}`;
  return {
    make: (act) => {
      const until = clock.now() + GOOD_FOR_MS;
      const nonce = ids.token();
      return `${until}.${nonce}.${seals.seal(textOf(until, nonce, act))}`;
    },
    use: (proof, act) => {
      const now = clock.now();
      for (const [nonce, until] of used) if (until <= now) used.delete(nonce);
      const [, end = '', nonce = '', seal = ''] =
        /^(\d{1,16})\.([\w-]{1,64})\.([\w-]{1,64})$/.exec(proof) ?? [];
      const until = Number(end);
      if (until <= now || used.has(nonce) || !seals.isSealOf(seal, textOf(until, nonce, act))) return false;
      used.set(nonce, until);
      return true;
    },
  };
}
