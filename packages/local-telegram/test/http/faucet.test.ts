import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalTelegram, startLocalTelegram } from '../../src/index.ts';

const ADDRESS = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
const given: unknown[] = [];
let telegram: LocalTelegram;

beforeAll(async () => {
  telegram = await startLocalTelegram({
    panel: {
      faucet: (address, sol) => {
        if (sol === 13) return Promise.reject(new Error('The faucet is dry.'));
        given.push([address, sol]);
        return Promise.resolve({ signature: 'sig' });
      },
    },
  });
});
afterAll(() => telegram.stop());

async function ask(body: unknown): Promise<unknown> {
  const page = await (await fetch(telegram.chatUrl)).text();
  const token = /name="sim-token" content="([^"]+)"/.exec(page)?.[1] ?? '';
  const headers = { 'x-sim-token': token, origin: telegram.botApiUrl, 'content-type': 'application/json' };
  return await (
    await fetch(`${telegram.chatUrl}sim/faucet`, { method: 'POST', headers, body: JSON.stringify(body) })
  ).json();
}

describe('the faucet', () => {
  it('gives what was asked for', async () => {
    expect(await ask({ address: ` ${ADDRESS} `, sol: 0.5 })).toEqual({ signature: 'sig' });
    expect(given).toEqual([[ADDRESS, 0.5]]);
  });

  it.each([
    [{ address: '0x12', sol: 1 }, 'Expected a Solana address: 32 to 44 base58 characters.'],
    [{ address: ADDRESS, sol: 0 }, 'Expected an amount above 0 and up to 1000 SOL.'],
    [{ address: ADDRESS, sol: 'lots' }, 'Expected an amount above 0 and up to 1000 SOL.'],
    [{ sol: 1 }, 'Expected address: a text.'],
    [{ address: ADDRESS, sol: 13 }, 'The faucet is dry.'],
  ])('says what is wrong with %o', async (body, error) => {
    expect(await ask(body)).toEqual({ error });
    expect(given).toHaveLength(1);
  });
});
