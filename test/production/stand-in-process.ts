/**
 * A stand-in in a process of its own, outside of the image: `chain FOLDER SLOT_MS` or `telegram`. Says in one line of JSON where
 * it answers, and runs until it is ended.
 */
import { addressesOf, startDeskChain, startLocalMail, startLocalTelegram } from './local-world.ts';

export type ChainProcess = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly deskUrl: string;
  readonly usdMint: string;
  readonly tokens: readonly { readonly symbol: string; readonly mint: string }[];
};
export type TelegramProcess = {
  readonly botApiUrl: string;
  readonly chatUrl: string;
  readonly token: string;
  readonly smtpUrl: string;
  readonly mailUrl: string;
};

async function chain(dir: string, slotMs: string): Promise<ChainProcess> {
  const started = await startDeskChain({ dir, slotMs: Number(slotMs) });
  const tokens = started.world.tokens.map(({ symbol, mint }) => ({ symbol, mint }));
  return { ...addressesOf(started), tokens };
}

async function telegram(): Promise<TelegramProcess> {
  const mail = await startLocalMail();
  const { botApiUrl, chatUrl, token } = await startLocalTelegram({ pages: mail.serve });
  return { botApiUrl, chatUrl, token, smtpUrl: mail.smtpUrl, mailUrl: `${chatUrl}mail` };
}

const [what, dir = '', slotMs = '100'] = process.argv.slice(2);
const started = what === 'chain' ? await chain(dir, slotMs) : await telegram();
process.stdout.write(`${JSON.stringify(started)}\n`);
