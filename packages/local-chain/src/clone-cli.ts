#!/usr/bin/env node
import { type Address, isAddress } from './address.ts';
import { ArgumentError, readArguments } from './arguments.ts';
import { cloneAccounts } from './clone.ts';

const DEFAULT_DIR = '.local/programs';

/** `npm run localnet:clone -- --url <rpc> --program <id> … --account <address> … [--dir <dir>]`. */
async function main(): Promise<void> {
  const given = readArguments(process.argv.slice(2), ['url', 'program', 'account', 'dir']);
  const url = given.one('url');
  if (url === undefined || !/^https?:\/\//.test(url)) {
    throw new ArgumentError('--url must be the http(s) URL of a Solana RPC.');
  }
  const programs = given.all('program').map((text) => addressOf('program', text));
  const accounts = given.all('account').map((text) => addressOf('account', text));
  if (programs.length + accounts.length === 0)
    throw new ArgumentError('Name at least one --program or --account.');
  const dir = given.one('dir') ?? DEFAULT_DIR;
  await cloneAccounts({ url, programs, accounts, dir, say });
  say(`Written to ${dir}. Start with: npm run localnet -- --programs ${dir}`);
}

function addressOf(option: string, text: string): Address {
  if (!isAddress(text)) throw new ArgumentError(`--${option} must be an address in base58, not "${text}".`);
  return text;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof ArgumentError ? text : `Cloning failed: ${text}`}\n`);
  process.exit(1);
});
