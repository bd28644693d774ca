import { createChainReader } from '../../scripts/tour/chain-reader.ts';
import { startLink, waitForScreen } from '../../scripts/tour/screens.ts';
import { createPerson, type Person } from './local-world.ts';
import { until } from './processes.ts';
import type { Shape } from './shape.ts';

const SOL = 1_000_000_000;
export const PIN = '739154';
/** Work that a killed process had begun is taken over once its lease has run out; finality comes after that. */
export const LONG = { timeoutMs: 90_000 };

/** A person with a funded deposit wallet. */
export type Trader = { readonly person: Person; readonly id: number; readonly address: string };

let next = 7_000;

/** Opens the bot (through an inviter's link, if one is given), makes a wallet and is given play SOL. */
export async function arrive(
  shape: Shape,
  name: string,
  { link, sol = 5 }: { readonly link?: string; readonly sol?: number } = {},
): Promise<Trader> {
  next += 1;
  const id = next;
  const person = await createPerson({ url: shape.telegram.chatUrl, user: { id, first_name: name } });
  await (link === undefined ? person.start() : person.follow(link));
  await person.waitFor(link === undefined ? /Welcome/ : /attached/, LONG);
  await person.tap('Create Deposit Wallet');
  await person.waitFor(/deposit wallet is ready/, LONG);
  const [row] = await shape.sql<{ address: string }>(
    'SELECT w.address FROM wallets w JOIN users u ON u.id = w.user_id WHERE u.telegram_id = $1',
    [id],
  );
  const address = row?.address ?? '';
  await give(shape, address, sol);
  return { person, id, address };
}

export async function give(shape: Shape, address: string, sol: number): Promise<void> {
  const chain = createChainReader(shape.chain.rpcUrl);
  const before = await chain.lamports(address);
  await fetch(shape.chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [address, sol * SOL] }),
  });
  await until('play SOL', async () => (await chain.lamports(address)) > before);
}

export async function inviteLink({ person }: Trader): Promise<string> {
  await person.say('/referral');
  return startLink(await waitForScreen(person, /Referral · code/));
}

export const mintOf = (shape: Shape, symbol: string): string =>
  shape.chain.tokens.find((token) => token.symbol === symbol)?.mint ?? '';

/** Up to the button "Confirm buy". */
export async function askToBuy(shape: Shape, { person }: Trader): Promise<void> {
  await person.say(mintOf(shape, 'PUP'));
  await person.waitFor(
    (text, message) => /\n\S+( SOL)? · cap |No market/.test(text) && message.reply_markup !== undefined,
    LONG,
  );
  await person.tap('🟢 0.1');
  await person.waitFor(/You get about/, LONG);
}

export const BOUGHT = /Bought [\d,.]+ PUP for 0.1 SOL[\s\S]* · final/;

/** Up to where the PIN is asked, which confirms it. The first time the PIN is made on the way. */
export async function askToWithdraw({ person }: Trader, to: string, sol: string): Promise<void> {
  await person.say('/withdraw_sol');
  await person.waitFor(/To which Solana address/, LONG);
  await person.say(to);
  await person.waitFor(/How much SOL/, LONG);
  await person.say(sol);
  await person.waitFor(/Set a PIN first/, LONG);
  await person.tap('Set a PIN');
  await person.waitFor(/Type a new PIN/, LONG);
  await person.say(PIN);
  await person.waitFor(/once more/, LONG);
  await person.say(PIN);
  await person.waitFor(/Type your PIN/, LONG);
}

export type IntentRow = { readonly kind: string; readonly status: string; readonly landed: number };

/** A person's intents, with how many of each one's transactions the chain has. */
export const intentsOf = (shape: Shape, { address }: Pick<Trader, 'address'>): Promise<IntentRow[]> =>
  shape.sql<IntentRow>(
    `SELECT i.kind, i.status, (SELECT count(*)::int FROM attempts a WHERE a.intent_id = i.id AND a.landed_slot IS NOT NULL) AS landed
     FROM intents i JOIN wallets w ON w.id = i.wallet_id WHERE w.address = $1 ORDER BY i.id`,
    [address],
  );
