import type { Phone } from './phone.ts';

/** START → Create Deposit Wallet → Deposit → play SOL. Gives the wallet's address. */
export async function open(phone: Phone): Promise<string> {
  await phone.start();
  await phone.reads(/Welcome to Tradepost/);
  await phone.tap('Create Deposit Wallet');
  await phone.reads(/Your deposit wallet is ready/);
  return deposit(phone);
}

export async function deposit(phone: Phone): Promise<string> {
  await phone.tap('Deposit');
  const text = await phone.reads(/Send SOL or Solana tokens only/);
  await phone.tap('Get 2 play SOL');
  await phone.toast(/play SOL are there/);
  // The notice comes when the deposit is final: later, it would push itself below the screen that the story reads.
  await phone.sees(/^Received 2 SOL/);
  return addressIn(text);
}

/** A pasted mint and an amount of SOL: up to the screen that asks for confirmation. */
export async function askToBuy(phone: Phone, mint: string, sol: string): Promise<void> {
  await phone.say(mint);
  await phone.reads(/ cap /);
  await phone.tap('🟢 X');
  await phone.reads(/How much SOL/);
  await phone.say(sol);
  await phone.reads(/You get about/);
}

const PIN = '402917';

/** On the screen that shows a withdrawal in full: says yes to it, which the first time means choosing a PIN. */
export async function confirmWithdrawal(phone: Phone): Promise<void> {
  const screen = await phone.reads(/cannot be undone/);
  if (/Set a PIN first/.test(screen)) {
    await phone.tap('Set a PIN');
    await phone.reads(/Type a new PIN/);
    await phone.say(PIN);
    await phone.reads(/once more/);
    await phone.say(PIN);
    await phone.reads(/Type your PIN/);
  }
  await phone.say(PIN);
}

export function addressIn(text: string): string {
  const found = /[1-9A-HJ-NP-Za-km-z]{32,44}/.exec(text)?.[0];
  if (found === undefined) throw new Error(`no address in: ${text}`);
  return found;
}

/** `Bought 24,512.5 PUP` → 24512500000 for 6 decimals, exactly. */
export function unitsIn(text: string, after: string, decimals: number): bigint {
  const number = new RegExp(`${after} ([\\d,]+(?:\\.\\d+)?) `).exec(text)?.[1]?.replaceAll(',', '');
  if (number === undefined) throw new Error(`no amount after "${after}" in: ${text}`);
  const [whole = '', fraction = ''] = number.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}
