import { hasCode } from '../../../core/errors/app-error.ts';
import type { SecretRotation } from '../../../platform/ports/operations.ts';
import type { WalletSecret } from '../../wallets/rules/wallet.ts';

export type RotateKekDeps = {
  readonly secrets: SecretRotation;
  /** The same secret under the current key. */
  readonly rewrap: (secret: WalletSecret) => Promise<WalletSecret>;
  readonly currentKekId: string;
  readonly onProgress: (rewrapped: number) => void;
  /** Rows per commit. */
  readonly batch?: number;
};

export type Rotation = {
  readonly rewrapped: number;
  /** Wallets whose row no key of the ring opens: left as they were. */
  readonly unreadable: readonly string[];
};

/** A key service is asked for this many at once. */
const AT_ONCE = 16;

/**
 * Re-wraps the data key of every wallet that is not under the current key. Each batch is one statement, so a kill at any moment leaves
 * every row readable. The next run goes on from there: the rows left are those that name another key. Signing continues meanwhile, because
 * both keys are on the ring. Goes round until a pass finds nothing more, for wallets that were made under the older key meanwhile. Throws
 * KEK_UNAVAILABLE when a key cannot be asked.
 */
export async function rotateKek(deps: RotateKekDeps): Promise<Rotation> {
  const unreadable = new Set<string>();
  let rewrapped = 0;
  for (;;) {
    let moved = 0;
    let after = '';
    for (;;) {
      const rows = await deps.secrets.notUnder(deps.currentKekId, after, deps.batch ?? 500);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.walletId;
      const changes = await rewrapAll(deps, rows, unreadable);
      if (changes.length === 0) continue;
      moved += await deps.secrets.rewrap(changes);
      deps.onProgress(rewrapped + moved);
    }
    rewrapped += moved;
    if (moved === 0) return { rewrapped, unreadable: [...unreadable] };
  }
}

async function rewrapAll(
  deps: RotateKekDeps,
  rows: readonly WalletSecret[],
  unreadable: Set<string>,
): Promise<readonly { readonly from: WalletSecret; readonly to: WalletSecret }[]> {
  const changes: { readonly from: WalletSecret; readonly to: WalletSecret }[] = [];
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    await Promise.all(
      rows.slice(at, at + AT_ONCE).map(async (from) => {
        try {
          changes.push({ from, to: await deps.rewrap(from) });
        } catch (error) {
          if (!hasCode(error, 'SECRET_UNREADABLE')) throw error;
          unreadable.add(from.walletId);
        }
      }),
    );
  }
  return changes;
}
