import { type Address, addressBytes, type ChainAccount, SYSTEM_PROGRAM } from '@tradepost/solana';
import type { TapeInstruction, TapeTransaction } from '@tradepost/tape';
import { DBC_PROGRAM } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import {
  createMeteoraDbcFeed,
  dbcLaunchEvents,
  lookAtDbcCurve,
} from '../../../packages/venues/src/meteora-dbc/launch-feed.ts';
import {
  createPumpFunFeed,
  lookAtPumpCurve,
  MINT_AUTHORITY,
  pumpLaunchEvents,
} from '../../../packages/venues/src/pump-fun/launch-feed.ts';
import { GLOBAL_AT, PUMP_GLOBAL, PUMP_PROGRAM } from '../../../packages/venues/src/pump-fun/layout.ts';
import {
  launchlabLaunchEvents,
  lookAtLaunchlabCurve,
} from '../../../packages/venues/src/raydium-launchlab/launch-feed.ts';
import { LAUNCHLAB_PROGRAM, POOL_AT } from '../../../packages/venues/src/raydium-launchlab/layout.ts';
import { buildDbc, CONFIG_ID } from '../../../packages/venues/test/meteora-dbc/build.ts';
import { buildCurve } from '../../../packages/venues/test/pump-fun/build.ts';
import { buildLaunch } from '../../../packages/venues/test/raydium-launchlab/build.ts';
import { feedBudget } from '../../../src/platform/venues/launch-feeds.ts';
import { newAddress } from '../../conformance/store-rows.ts';

const [MINT, CURVE, USER, CREATOR, POOL] = [
  newAddress(),
  newAddress(),
  newAddress(),
  newAddress(),
  newAddress(),
] as const;
const SLOT = 460_000_000n;

const key = (of: Address): Buffer => Buffer.from(addressBytes(of));
const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
const text = (value: string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(value));
  return Buffer.concat([length, Buffer.from(value)]);
};
/** Bytes as `emit_cpi` sends them: the call's eight, then the event's, which the design and the IDLs name. */
const emitted = (kind: string, ...parts: readonly Buffer[]): Uint8Array =>
  Uint8Array.from(Buffer.concat([Buffer.from(`e445a52e51cb9a1d${kind}`, 'hex'), ...parts]));

function transaction(
  program: Address,
  data: Uint8Array,
  more: Partial<TapeTransaction> & { readonly accounts?: TapeInstruction['accounts'] } = {},
): TapeTransaction {
  const { accounts = [], ...rest } = more;
  return {
    signature: 'sig',
    slot: SLOT,
    index: 3,
    at: 1_790_000_000,
    failed: false,
    signers: [USER],
    feeLamports: 5_000n,
    instructions: [{ program, accounts, data, height: 2 }],
    lamports: [],
    tokens: [],
    logs: [],
    ...rest,
  };
}

const created = emitted(
  '1b72a94ddeeb6376',
  text('Puppy 🐶'),
  text('PUP'),
  text('https://x.example/1.json'),
  key(MINT),
  key(CURVE),
  key(USER),
);
const CREATED = {
  kind: 'created',
  mint: MINT,
  curve: CURVE,
  config: null,
  signature: 'sig',
  slot: SLOT,
  at: 1_790_000_000_000,
};

describe('pump.fun', () => {
  it('logs a creation with its creator; the first version of the event has the payer alone', () => {
    expect(pumpLaunchEvents(transaction(PUMP_PROGRAM, created))).toEqual([{ ...CREATED, creator: USER }]);
    const later = Uint8Array.from(Buffer.concat([created, key(CREATOR), u64(1n), u64(2n)]));
    expect(pumpLaunchEvents(transaction(PUMP_PROGRAM, later))).toEqual([{ ...CREATED, creator: CREATOR }]);
  });

  it('logs the end of a curve, and its migration with the pool', () => {
    const complete = emitted('5f72619cd42e9808', key(USER), key(MINT), key(CURVE), u64(1n));
    expect(pumpLaunchEvents(transaction(PUMP_PROGRAM, complete))).toEqual([
      { kind: 'complete', curve: CURVE, pool: null, slot: SLOT },
    ]);
    const amounts = [u64(1n), u64(2n), u64(3n)];
    const moved = emitted(
      'bde95db95c94ea94',
      key(USER),
      key(MINT),
      ...amounts,
      key(CURVE),
      u64(4n),
      key(POOL),
    );
    expect(pumpLaunchEvents(transaction(PUMP_PROGRAM, moved))).toEqual([
      { kind: 'graduated', curve: CURVE, pool: POOL, slot: SLOT },
    ]);
  });

  it('is believed of its own program alone, and bytes that end too early are no event', () => {
    expect(pumpLaunchEvents(transaction(SYSTEM_PROGRAM, created))).toEqual([]);
    for (let length = 0; length < created.length; length += 1)
      expect(pumpLaunchEvents(transaction(PUMP_PROGRAM, created.slice(0, length)))).toEqual([]);
    const endless = emitted(
      '1b72a94ddeeb6376',
      Buffer.from('ffffffff', 'hex'),
      key(MINT),
      key(CURVE),
      key(USER),
    );
    expect(pumpLaunchEvents(transaction(PUMP_PROGRAM, endless))).toEqual([]);
    // A trade's event.
    expect(
      pumpLaunchEvents(transaction(PUMP_PROGRAM, emitted('bddb7fd34ee661ee', Buffer.alloc(300)))),
    ).toEqual([]);
  });

  it('shows how much a curve sold, and its end; an account of another program says nothing', () => {
    const look = (more: Parameters<typeof buildCurve>[0]) => {
      const { accounts, id } = buildCurve(more);
      return lookAtPumpCurve([accounts.get(id) ?? null, global, pool], POOL);
    };
    const all = 793_100_000_000_000n;
    const built = buildCurve({}).accounts.get(PUMP_GLOBAL) as ChainAccount;
    const data = Buffer.from(built.data);
    data.writeBigUInt64LE(all, GLOBAL_AT.realToken);
    const global = { ...built, data };
    let pool: ChainAccount | null = null;
    expect(look({ realToken: all })).toEqual({ soldBps: 0, complete: false, moved: null });
    expect(look({ realToken: all - (all * 8n) / 10n })).toMatchObject({ soldBps: 8_000 });
    expect(look({ complete: true })).toEqual({ soldBps: 10_000, complete: true, moved: null });
    pool = global;
    expect(look({ complete: true })).toEqual({ soldBps: 10_000, complete: true, moved: { pool: POOL } });
    expect(look({ realToken: 1n })).toMatchObject({ soldBps: 9_999, moved: null });
    expect(lookAtPumpCurve([null, global], null)).toBe('absent');
    expect(lookAtPumpCurve([{ ...global, owner: SYSTEM_PROGRAM }, global], null)).toBe('unknown');
  });

  it('is read by the two accounts that creations and migrations name, each transaction once, no failed one', async () => {
    const { accounts } = buildCurve({});
    const asked: Address[] = [];
    const one = transaction(PUMP_PROGRAM, created);
    const failed = transaction(PUMP_PROGRAM, created, { signature: 'failed', failed: true });
    const feed = createPumpFunFeed({
      chain: { accounts: async (ids) => ({ slot: 1n, accounts: ids.map((id) => accounts.get(id) ?? null) }) },
      transactions: {
        naming: async (address) => {
          asked.push(address);
          return [failed, one];
        },
      },
    });
    const events = await feed.events({ after: 1n, upTo: 2n }, () => false);
    expect(events).toEqual([{ ...CREATED, creator: USER }]);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toBe(MINT_AUTHORITY);
    expect(MINT_AUTHORITY).toBe('TSLvdd1pWpHVjahSpsvCXUbgwsL3JAcvokwaKt1eokM');
  });
});

describe('Meteora', () => {
  const pool = emitted(
    'e432f655cb428625',
    key(CURVE),
    key(CONFIG_ID),
    key(CREATOR),
    key(MINT),
    Buffer.alloc(9),
  );

  it('logs a pool with its configuration, and the end of its curve in both forms', () => {
    expect(dbcLaunchEvents(transaction(DBC_PROGRAM, pool))).toEqual([
      { ...CREATED, config: CONFIG_ID, creator: CREATOR },
    ]);
    for (const kind of ['e5e756549c864b18', '3b2f6dcd0d1f2c9f']) {
      const complete = emitted(kind, key(CURVE), key(CONFIG_ID), u64(1n), u64(2n));
      expect(dbcLaunchEvents(transaction(DBC_PROGRAM, complete))).toEqual([
        { kind: 'complete', curve: CURVE, pool: null, slot: SLOT },
      ]);
    }
    expect(dbcLaunchEvents(transaction(DBC_PROGRAM, pool.slice(0, 100)))).toEqual([]);
    expect(dbcLaunchEvents(transaction(PUMP_PROGRAM, pool))).toEqual([]);
  });

  it('shows what its pool has raised, by one question for many curves', async () => {
    const { accounts, id } = buildDbc();
    let questions = 0;
    const feed = createMeteoraDbcFeed({
      config: CONFIG_ID,
      chain: {
        accounts: async (ids) => {
          questions += 1;
          return { slot: 9n, accounts: ids.map((one) => accounts.get(one) ?? null) };
        },
      },
      transactions: { naming: async () => [] },
    });
    const curves = [
      { mint: MINT, curve: id, config: CONFIG_ID, pool: null },
      { mint: MINT, curve: newAddress(), config: null, pool: null },
    ];
    const { slot, looks } = await feed.states(curves);
    expect([slot, questions]).toEqual([9n, 1]);
    expect(looks[0]).toMatchObject({ complete: false, moved: null });
    expect(looks[1]).toBe('absent');
    expect(lookAtDbcCurve([accounts.get(id) ?? null, null])).toBe('unknown');
  });
});

describe('LaunchLab', () => {
  const accounts = [USER, CREATOR, ...[2, 3, 4].map(() => newAddress()), CURVE, MINT, newAddress()];

  it('names the mint in the instruction of its creation, in each form of it', () => {
    for (const kind of ['afaf6d1f0d989bed', '4399af27da102620', '25be7ede2c9aab11']) {
      const data = Uint8Array.from(Buffer.from(`${kind}0601`, 'hex'));
      const one = transaction(LAUNCHLAB_PROGRAM, data, { accounts });
      expect(launchlabLaunchEvents(one)).toEqual([{ ...CREATED, creator: CREATOR }]);
      const short = transaction(LAUNCHLAB_PROGRAM, data, { accounts: accounts.slice(0, 6) });
      expect(launchlabLaunchEvents(short)).toEqual([]);
    }
  });

  it('says by its status that the curve ended, and that its pool is there', () => {
    const fixture = buildLaunch();
    const account = fixture.accounts.get(fixture.id) as ChainAccount;
    const withStatus = (status: number) => {
      const data = account.data.slice();
      data[POOL_AT.status] = status;
      return lookAtLaunchlabCurve([{ ...account, data }]);
    };
    expect(withStatus(0)).toMatchObject({ complete: false, moved: null });
    expect(withStatus(1)).toEqual({ soldBps: 10_000, complete: true, moved: null });
    expect(withStatus(2)).toEqual({ soldBps: 10_000, complete: true, moved: { pool: null } });
    expect(lookAtLaunchlabCurve([null])).toBe('absent');
  });
});

it('the budget of calls is divided, and none of its parts is empty', () => {
  expect(feedBudget(5)).toEqual({ transactions: 3, looks: 2 });
  expect(feedBudget(2)).toEqual({ transactions: 1, looks: 1 });
  expect(feedBudget(null)).toEqual({ transactions: null, looks: null });
});
