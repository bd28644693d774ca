/** `npm run ops -- doctor`: everything that this installation needs, one line each with its mend. Changes nothing. */
import { existsSync } from 'node:fs';
import { kekOptions } from '../../src/compose/open-keyring.ts';
import type { Config } from '../../src/config/index.ts';
import type { Finding } from '../../src/modules/operations/rules/check-up.ts';
import { judgeDump, judgeNetwork, judgeNode, verdict } from '../../src/modules/operations/rules/check-up.ts';
import { askNetworkFacts } from '../../src/platform/chain/network-facts.ts';
import { readNetwork } from '../../src/platform/journal/network-file.ts';
import type { Io } from './command.ts';
import { lookAtDatabase } from './doctor-database.ts';
import { lookAtDisk, MACHINE, type Machine } from './doctor-disk.ts';
import { find, type Look, printFinding } from './doctor-find.ts';
import { askMailServer, askNode, askWebhook } from './doctor-outside.ts';
import { newestDump } from './nightly-dump.ts';
import { chainUrls, requireDatabase } from './open.ts';
import { UsageError } from './ops-error.ts';
import { duration } from './read-values.ts';

export type DoctorOptions = {
  readonly dumps: string | undefined;
  readonly 'max-age': string | undefined;
  readonly folder: readonly string[];
  readonly json: boolean;
};

/**
 * Looks at everything and prints a line each. 0 = all is well, 1 = something wants a look, 2 = something is broken. A missing variable
 * is CONFIG_INVALID, before anything is looked at.
 */
export async function runDoctor(io: Io, options: DoctorOptions, machine: Machine = MACHINE): Promise<number> {
  const maxAgeMs = duration('--max-age', options['max-age'] ?? '26h');
  if (options.dumps === '') throw new UsageError('--dumps: expected the folder of the dumps.');
  const config = io.config();
  // First of all: without these there is nothing to look at, and none of them is invented.
  if (config.kek !== null) kekOptions(config);
  const urls = chainUrls(config);
  requireDatabase(io);
  const findings = [
    ...(await lookAtDatabase(io, urls, machine)),
    await lookAtDumps(options.dumps, maxAgeMs, machine),
    ...(await lookAtDisks(config, options, machine)),
    ...(await lookAtNodes(urls, config.journalDir)),
    await lookAtNetwork(urls),
    ...(await lookAtWebhook(config)),
    ...(await lookAtMail(config)),
  ];
  const code = verdict(findings);
  if (options.json) io.print(JSON.stringify({ code, findings }, null, 2));
  else for (const finding of findings) printFinding(io, finding);
  return code;
}

function lookAtDumps(folder: string | undefined, maxAgeMs: number, { now }: Machine): Promise<Finding> {
  const look: Look = {
    part: 'dump',
    why: 'without a fresh dump on another disk, the loss of this one is the loss of every book and of every sealed key',
    mend: `npm run ops -- dump-nightly ${folder ?? 'FOLDER'} --once`,
  };
  return find(look, async () => {
    if (folder === undefined)
      return {
        state: 'warn',
        fact: 'no folder of dumps was named',
        mend: 'npm run ops -- doctor --dumps FOLDER',
      };
    const newest = await newestDump(folder);
    return judgeDump(folder, newest === null ? null : now() - newest.at, maxAgeMs);
  });
}

function lookAtDisks(config: Config, options: DoctorOptions, machine: Machine): Promise<readonly Finding[]> {
  const local = existsSync(config.local.dir) ? [config.local.dir] : [];
  const named = [...(options.dumps === undefined ? [] : [options.dumps]), ...options.folder];
  return Promise.all([...new Set([...local, ...named])].map((folder) => lookAtDisk(folder, machine)));
}

async function lookAtNodes(urls: readonly string[], journalDir: string): Promise<readonly Finding[]> {
  const answers = urls.map((url) => ({ url, answer: askNode(url) }));
  const settled = await Promise.allSettled(answers.map(({ answer }) => answer));
  const genesis = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value.genesis] : []));
  return Promise.all(
    answers.map(({ url, answer }) => {
      const { host } = new URL(url);
      const look: Look = {
        part: `node ${host}`,
        why: 'without a node nothing is priced, sent or seen to land',
        mend: `curl -sS -m 5 -o /dev/null -w '%{http_code}\\n' https://${host}   (then start that node, or take its address out of SOLANA_RPC_URL)`,
      };
      return find(look, async () => judgeNode(await answer, new Set(genesis), await readNetwork(journalDir)));
    }),
  );
}

function lookAtNetwork(urls: readonly string[]): Promise<Finding> {
  const look: Look = {
    part: 'network',
    why: 'holds, waits and account deposits follow what nodes say of slots and rent',
    mend: 'correct SOLANA_RPC_URL',
  };
  return find(look, async () => judgeNetwork(await askNetworkFacts(urls)));
}

async function lookAtWebhook({ bot, telegramToken, botApiRoot }: Config): Promise<readonly Finding[]> {
  if (telegramToken === null || bot.mode !== 'webhook') return [];
  const look: Look = {
    part: 'webhook',
    why: 'Telegram hands nothing to the bot: people press buttons and nothing answers',
    mend: 'deploy/roles.sh restart bot   (or: docker compose restart bot; it names WEBHOOK_URL again)',
  };
  const finding = await find(look, async () => {
    const { url, pending, lastError } = await askWebhook(
      botApiRoot ?? 'https://api.telegram.org',
      telegramToken,
    );
    if (url !== bot.url)
      return {
        state: 'bad',
        fact: `Telegram delivers to ${url === '' ? 'no address' : hostOf(url)}`,
        mend: look.mend,
      };
    const fact = `${pending} updates wait${lastError === null ? '' : `; the last failure: ${lastError}`}`;
    const isBehind = pending > 100 || (lastError !== null && pending > 0);
    return isBehind ? { state: 'warn', fact, mend: look.mend } : { state: 'ok', fact, mend: '' };
  });
  return [finding];
}

async function lookAtMail({ mail }: Config): Promise<readonly Finding[]> {
  if (mail === null) return [];
  const { host } = new URL(mail.url);
  const look: Look = {
    part: `mail ${host}`,
    why: 'people who ask for an API key get no mail',
    mend: 'correct SMTP_URL, or open the way to that port',
  };
  return [await find(look, async () => ({ state: 'ok', fact: await askMailServer(mail.url), mend: '' }))];
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address that is none';
}
