import { address } from '../../src/core/address/address.ts';
import { openSenders } from '../../src/platform/chain/senders/index.ts';
import { exchange } from '../../src/platform/chain/senders/post-transaction.ts';
import type { Sender, TipAccounts } from '../../src/platform/ports/sender.ts';

const TIMEOUT_MS = 5_000;

/** The block engine and the paid sender that a local chain plays, with the accounts that they name. */
export async function sendersOf(rpcUrl: string): Promise<readonly Sender[]> {
  const engine = `${rpcUrl}/block-engine`;
  const asked = { method: 'getTipAccounts', params: [] };
  const named = await exchange(`${engine}/api/v1/getTipAccounts`, asked, TIMEOUT_MS);
  const own = await (await fetch(`${rpcUrl}/sender/accounts`)).json();
  return openSenders({
    jito: { url: engine, floorUrl: null, minTip: 1_000n },
    jitoAccounts: accountsIn('result' in named ? named.result : null),
    sender: { url: `${rpcUrl}/sender`, minTip: 200_000n, tipAccounts: accountsIn(own) },
  });
}

/** The accounts of each sender, for the signing policy. */
export function tipAccountsOf(senders: readonly Sender[]): TipAccounts {
  return Object.fromEntries(senders.map(({ name, tipAccounts }) => [name, tipAccounts]));
}

function accountsIn(value: unknown) {
  if (!Array.isArray(value)) throw new Error('expected a list of tip accounts');
  return value.map((one) => address(String(one)));
}
