import { afterEach, describe, expect, it } from 'vitest';
import { judgeNetwork } from '../../../src/modules/operations/rules/check-up.ts';
import { createBlockTime } from '../../../src/platform/chain/block-time.ts';
import { askNetworkFacts, networkFacts, readSamples } from '../../../src/platform/chain/network-facts.ts';
import { createRent } from '../../../src/platform/chain/rent.ts';
import { addressOf } from '../../engine/intents/build.ts';
import { deadUrl, type Reply, startScriptedRpc } from './scripted-rpc.ts';

const running: { readonly stop: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

const account = (data: Buffer) => ({
  lamports: 1,
  owner: addressOf(1),
  executable: false,
  data: [data.toString('base64'), 'base64'],
});
function rentAccount(perByte: bigint) {
  const data = Buffer.alloc(17);
  data.writeBigUInt64LE(perByte, 0);
  data.writeDoubleLE(1, 8);
  return account(data);
}
const featureAccount = (data: readonly number[]) => ({
  ...account(Buffer.from(data)),
  owner: 'Feature111111111111111111111111111111111111',
});
const REFUSED = { error: { code: -32_601, message: 'Method not found' } };

/** A node of this autumn; `said` replaces its answers by method. */
async function node(said: Readonly<Record<string, Reply>> = {}): Promise<string> {
  const answers: Readonly<Record<string, Reply>> = {
    getRecentPerformanceSamples: {
      result: Array.from({ length: 5 }, () => ({ numSlots: 280, samplePeriodSecs: 60 })),
    },
    getMultipleAccounts: {
      result: { context: { slot: 1 }, value: [rentAccount(5_080n), featureAccount([1, 0])] },
    },
    getRecentPrioritizationFees: { result: [{ slot: 1, prioritizationFee: 7 }] },
    getAgGenesisCert: { result: { slot: 459_652_999 } },
    ...said,
  };
  const server = await startScriptedRpc(({ method }) => answers[method] ?? REFUSED);
  running.push(server);
  return server.url;
}
const accounts = (...value: readonly unknown[]): Reply => ({ result: { context: { slot: 1 }, value } });

describe('what a node tells of the network', () => {
  it('is judged as expected, each with what it was measured over', async () => {
    const url = await node();
    const told = await askNetworkFacts([url]);
    expect(told).toEqual([
      {
        host: new URL(url).host,
        slotMs: 300_000 / 1_400,
        spanMs: 300_000,
        rentLamportsPerByte: 5_080,
        version1: true,
        isMigrated: true,
        tellsFees: true,
      },
    ]);
    expect(judgeNetwork(told)).toEqual({
      state: 'ok',
      fact: 'a slot takes 214 ms (over 300.0 s), a blockhash lives 32.1 s; a byte of an account costs 5080 lamports; transactions of version 1 are active; Alpenglow runs: a confirmed block is final; recent fees are told',
      mend: '',
    });
  });

  it.each([
    [
      'a rent below every plan',
      { getMultipleAccounts: accounts(rentAccount(600n), null) },
      'expected a rent of 696 to 6960',
    ],
    [
      'a rent above every plan',
      { getMultipleAccounts: accounts(rentAccount(7_000n), null) },
      'expected a rent of 696 to 6960',
    ],
    ['no rent', { getMultipleAccounts: accounts(null, null) }, 'no node tells the rent'],
    ['nothing of accounts', { getMultipleAccounts: REFUSED }, 'without a rent no account can be opened'],
    [
      'slots of 100 ms',
      { getRecentPerformanceSamples: { result: [{ numSlots: 600, samplePeriodSecs: 60 }] } },
      'expected slots of 150 to 600 ms',
    ],
  ] as const)('is a warning where it tells %s', async (_, said, why) => {
    const judged = judgeNetwork(await askNetworkFacts([await node(said)]));
    expect(judged).toMatchObject({ state: 'warn', fact: expect.stringContaining(why) });
    expect(judged.mend).not.toBe('');
  });

  it.each([
    ['no recent fees', { getRecentPrioritizationFees: REFUSED }, "where the tier's floor is bid"],
    ['no slot times', { getRecentPerformanceSamples: REFUSED }, 'no node tells how long slots take'],
    ['no slot at all', { getRecentPerformanceSamples: { result: [] } }, 'no node tells how long slots take'],
    [
      'that version 1 waits',
      { getMultipleAccounts: accounts(rentAccount(6_960n), null) },
      'version 1 are not active',
    ],
  ] as const)('is well, and said so, where it tells %s', async (_, said, words) => {
    const judged = judgeNetwork(await askNetworkFacts([await node(said)]));
    expect(judged).toMatchObject({ state: 'ok', fact: expect.stringContaining(words) });
  });

  it.each([
    ['that it has no certificate', { result: null }, 'Alpenglow does not run: finality is waited for'],
    [
      'that it knows no certificates',
      REFUSED,
      'no node tells whether Alpenglow runs, so finality is waited for',
    ],
    ['a word for a certificate', { result: 'yes' }, 'no node tells whether Alpenglow runs'],
    ['a list for a certificate', { result: [{}] }, 'no node tells whether Alpenglow runs'],
    [
      'a page for a certificate',
      { status: 200, body: '<h1>no</h1>' },
      'no node tells whether Alpenglow runs',
    ],
  ] as const)('leaves finality to be waited for where it tells %s', async (_, said, words) => {
    const judged = judgeNetwork(await askNetworkFacts([await node({ getAgGenesisCert: said })]));
    expect(judged).toMatchObject({ state: 'ok', fact: expect.stringContaining(words) });
  });

  it.each([
    [{ slot: 1 }, null],
    [null, { slot: 1 }],
  ])('is the careful word where nodes differ on Alpenglow (%j, %j), with both named', async (one, other) => {
    const urls = await Promise.all([one, other].map((result) => node({ getAgGenesisCert: { result } })));
    const judged = judgeNetwork(await askNetworkFacts(urls));
    const [first, second] = urls.map((url) => new URL(url).host);
    expect(judged.state).toBe('warn');
    expect(judged.fact).toContain('Alpenglow does not run: finality is waited for');
    const [yes, no] = one === null ? [second, first] : [first, second];
    expect(judged.fact).toContain('the nodes differ on Alpenglow:');
    expect(judged.fact).toContain(`${yes} yes`);
    expect(judged.fact).toContain(`${no} no`);
    expect(judged.mend).not.toBe('');
  });

  it('is no difference where one node runs Alpenglow and another does not know the question', async () => {
    const judged = judgeNetwork(
      await askNetworkFacts([await node({ getAgGenesisCert: REFUSED }), await node()]),
    );
    expect(judged).toMatchObject({
      state: 'ok',
      fact: expect.stringContaining('a confirmed block is final'),
    });
  });

  it('is a warning where two nodes tell another rent, and nothing where one is silent', async () => {
    const other = await node({ getMultipleAccounts: accounts(rentAccount(6_960n), null) });
    const both = judgeNetwork(await askNetworkFacts([await node(), other]));
    expect(both).toMatchObject({
      state: 'warn',
      fact: expect.stringMatching(/the nodes differ: .* 5080, .* 6960/),
    });
    const withDead = judgeNetwork(await askNetworkFacts([await deadUrl(), await node()]));
    expect(withDead.state).toBe('ok');
  });

  it.each([
    [null],
    [{}],
    [[null]],
    [[{ numSlots: -1, samplePeriodSecs: 60 }]],
    [[{ numSlots: 1 }]],
    [[{ numSlots: 1.5, samplePeriodSecs: 60 }]],
  ])('is no slot time in %j', (answer) => {
    expect(() => readSamples(answer)).toThrow();
  });
});

it('a process shows what it measured with its age, and null before that', async () => {
  let now = 0;
  const blockTime = createBlockTime();
  const rent = createRent(
    async () => ({
      lamports: 1n,
      owner: addressOf(1),
      executable: false,
      data: Buffer.from(rentAccount(5_080n).data[0] ?? '', 'base64'),
    }),
    { now: () => now },
  );
  expect(Object.values(networkFacts({ blockTime, rent }, now))).toEqual([null, null, null, null, null]);
  for (; now < 30_000; now += 200) blockTime.hear(BigInt(now / 200), now);
  await rent.exemption(0);
  now += 1_000;
  expect(networkFacts({ blockTime, rent }, now)).toEqual({
    slotMs: 200,
    blockhashLivesMs: 30_000,
    slotAgeMs: 1_200,
    rentLamportsPerByte: 5_080,
    rentAgeMs: 1_000,
  });
});
