/**
 * From the tap on "Create token" to "Created" in the chat, at 400 ms slots, beside what a bare sendRawTransaction with
 * confirmation by polling costs on the same chain in the same minute.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPerson } from '@tradepost/local-telegram';
import { startProgram } from '../test/support/program.ts';
import { bareSender } from './bare-sender.ts';
import { median, percentile } from './median.ts';
import type { Row } from './run.ts';

export const name = 'creation';

const ROUNDS = 10;
/** Each question and the button that answers it. */
const QUESTIONS: readonly (readonly [RegExp, string])[] = [
  [/The name/, 'BENCH'],
  [/Send a picture/, 'Skip'],
  [/A description/, 'Skip'],
  [/Links/, 'Skip'],
  [/Decimals/, '6'],
  [/How many tokens/, '1,000,000,000'],
  [/Who gets them/, 'Main'],
  [/What you keep/, 'Review'],
];

export async function run(): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  const program = await startProgram(dir, { CHAT_UPDATES: '1000' });
  try {
    const alice = await createPerson({
      url: program.run.chatUrl,
      user: { id: 101, first_name: 'Alice', language_code: 'en' },
    });
    const sees = (words: RegExp) =>
      alice.waitFor((text, message) => words.test(text) && message.reply_markup !== undefined);
    const bare = await bareSender(program.run.rpcUrl);
    await alice.start();
    await sees(/Welcome/);
    await alice.tap('Create Deposit Wallet');
    await sees(/is ready/);
    await alice.say('/deposit');
    await alice.waitFor(/Send SOL/);
    await alice.tap(/play SOL/);
    await alice.waitForToast(/are there/);
    await alice.say('/referral');
    await sees(/Referral/);

    const times: number[] = [];
    const sends: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await alice.say('/create_token');
      await sees(/Which type/);
      await alice.tap(round % 2 === 0 ? 'token' : 'token2022');
      await sees(/The symbol/);
      await alice.say('BENCH');
      for (const [question, button] of QUESTIONS) {
        await sees(question);
        await alice.tap(button);
      }
      await sees(/What buyers will see/);
      const startedAt = performance.now();
      await alice.tap('Create token');
      await alice.waitFor(/^Created/);
      times.push(performance.now() - startedAt);
      sends.push(await bare());
    }
    const [creation, send] = [median(times), median(sends)];
    return [
      {
        metric: 'confirm tap to "Created", median',
        value: creation,
        unit: 'ms',
        baseline: 'a bare send',
        ratio: creation / send,
        note: 'goal 2000 ms',
      },
      { metric: 'confirm tap to "Created", p90', value: percentile(times, 90), unit: 'ms' },
      { metric: 'bare sendRawTransaction to confirmed, median', value: send, unit: 'ms' },
    ];
  } finally {
    await program.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
