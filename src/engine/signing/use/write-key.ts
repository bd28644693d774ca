import type { WalletSecret } from '../../../modules/wallets/rules/wallet.ts';
import type { Keybook } from '../../../platform/ports/journal.ts';
import type { WritableEntry } from '../rules/line.ts';

/** The secret, once the keybook holds it: a wallet that a dump lacks is not lost with it. Throws JOURNAL_FULL. */
export async function withKeybook(
  { keybook }: { readonly keybook: Pick<Keybook, 'append'> },
  secret: WalletSecret,
): Promise<WalletSecret> {
  await keybook.append(keyEntry(secret));
  return secret;
}

/** A wallet's sealed key as its line of the keybook. Its committed row alone says later whose it is in Telegram. */
export function keyEntry(secret: WalletSecret): WritableEntry {
  const { walletId, userId, publicKey, kekId, wrappedDek, sealedSeed } = secret;
  return {
    kind: 'key',
    walletId,
    userId,
    telegramId: null,
    publicKey,
    version: 1,
    kekId,
    wrappedDek: base64(wrappedDek),
    sealedSeed: base64(sealedSeed),
  };
}

/** Of bytes, without Node's own buffers. */
function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
