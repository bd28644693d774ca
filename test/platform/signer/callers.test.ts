import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keysOf } from '../../../src/core/records.ts';
import { emptyGuard } from '../../../src/modules/guard/rules/guard.ts';
import type { Vault } from '../../../src/platform/ports/vault.ts';
import { CALLERS, type Caller, callsOf } from '../../../src/platform/signer/callers.ts';
import { CALLS, type CallName } from '../../../src/platform/signer/protocol.ts';
import { serveCallers } from '../../../src/platform/signer/serve-callers.ts';
import { createSocketVault, type SocketVault } from '../../../src/platform/signer/socket-vault.ts';
import { addressOf } from '../../engine/intents/build.ts';

/** The second list, by hand: who may ask what. */
const WANTED: Readonly<Record<Caller, readonly CallName[]>> = {
  bot: [
    'openPerson',
    'certificateKey',
    'create',
    'adopt',
    'askExport',
    'takeExport',
    'stopExport',
    'confirm',
    'certifyOrders',
    'mandateCopy',
    'certifyPersonalKey',
    'endPersonalKey',
    'certifyReceiving',
    'certifyGuard',
    'certifyAddress',
    'verifyPin',
    'draft',
    'isDrafted',
    'pinOfDraft',
    'createSecondFactor',
    'confirmSecondFactor',
    'gameSeed',
  ],
  worker: ['certificateKey', 'create', 'confirmFire', 'confirmCopy', 'sign', 'gameSeed'],
  api: [
    'certificateKey',
    'stopExport',
    'certifyStop',
    'confirmKeyed',
    'certifyKeyedOrder',
    'showSecondFactor',
  ],
  indexer: ['certificateKey'],
};

/** An input of each call that its schema takes. */
const INPUTS: { readonly [N in CallName]: Parameters<Vault[N]> } = {
  openPerson: [{ telegramId: 1n, inviterId: null }],
  certificateKey: [],
  create: [{ walletId: 'w', userId: null }],
  adopt: [{ walletId: 'w', userId: 'u', material: 'm', passphrase: null }],
  askExport: [{ userId: 'u', walletId: 'w', pin: '1' }],
  takeExport: [{ userId: 'u', exportId: 'e', pin: '1', passphrase: 'p' }],
  stopExport: [{ userId: 'u' }],
  confirm: [
    { id: 'i', idemKey: 'k', userId: 'u', walletId: 'w', params: { kind: 'close-accounts' } as never },
    null,
  ],
  endPersonalKey: [{ userId: 'u', keyId: 'k' }],
  certifyAddress: [{ id: 'a', userId: 'u', walletId: 'w', address: addressOf(7), addedAt: 1 }],
  certifyStop: [{ guard: emptyGuard('u'), transactionId: '7' }],
  certifyGuard: [{ guard: emptyGuard('u'), transactionId: '7' }],
  certifyReceiving: [{ userId: 'u', walletId: 'w', act: 'payout-wallet', pin: '1' }],
  certifyOrders: [
    {
      userId: 'u',
      orders: [
        { id: 'o', userId: 'u', walletId: 'w', mint: '11111111111111111111111111111111', terms: {} } as never,
      ],
    },
  ],
  mandateCopy: [
    {
      copy: {
        id: 'c',
        userId: 'u',
        walletId: 'w',
        leader: '11111111111111111111111111111111',
        lockEpoch: 0,
        until: 1,
        rules: {},
      } as never,
      pin: null,
    },
  ],
  certifyPersonalKey: [
    {
      key: {
        id: 'k',
        userId: 'u',
        walletId: 'w',
        publicKey: '11111111111111111111111111111111',
        host: 'desk.example',
        lockEpoch: 0,
        until: 1,
        terms: {},
      } as never,
      pin: '1',
    },
  ],
  confirmCopy: [
    {
      request: {
        id: 'i',
        idemKey: 'k',
        userId: 'u',
        walletId: 'w',
        params: { kind: 'close-accounts' } as never,
      },
      orders: [],
    },
  ],
  certifyKeyedOrder: [
    {
      order: {
        id: 'o',
        userId: 'u',
        walletId: 'w',
        mint: '11111111111111111111111111111111',
        terms: {},
      } as never,
      signed: { signatureInput: 's', signature: 's', body: new Uint8Array() },
    },
  ],
  confirmKeyed: [
    {
      request: {
        id: 'i',
        idemKey: 'k',
        userId: 'u',
        walletId: 'w',
        params: { kind: 'close-accounts' } as never,
      },
      signed: { signatureInput: 'i', signature: 's', body: new Uint8Array(1) },
    },
  ],
  confirmFire: [
    { id: 'i', idemKey: 'k', userId: 'u', walletId: 'w', params: { kind: 'close-accounts' } as never },
  ],
  sign: [{ intentId: 'i', message: new Uint8Array(1) }],
  verifyPin: [{ userId: 'u', pin: '1' }],
  draft: [{ userId: 'u', text: 't' }],
  isDrafted: [{ userId: 'u', draft: 'd', text: 't' }],
  pinOfDraft: [{ userId: 'u', draft: 'd', pin: '1' }],
  createSecondFactor: [{ userId: 'u' }],
  showSecondFactor: [{ userId: 'u', box: null, codes: [] }],
  confirmSecondFactor: [{ userId: 'u', code: '1' }],
  gameSeed: [{ id: 'r', table: 't' }],
};

const reached: string[] = [];
const warned: object[] = [];
let folder: string;
let server: Awaited<ReturnType<typeof serveCallers>>;
let lines: ReadonlyMap<Caller, SocketVault>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callers-'));
  const reach = (call: string) => async (): Promise<never> => {
    reached.push(call);
    throw new Error('reached');
  };
  const vault = Object.fromEntries(keysOf(CALLS).map((call) => [call, reach(call)]));
  server = await serveCallers(() => vault as unknown as Vault, {
    folder,
    log: { warn: (fields) => void warned.push(fields), error: () => undefined },
  });
  lines = new Map(
    CALLERS.map((caller) => [
      caller,
      createSocketVault({ places: [{ path: join(folder, caller, 'signer.sock') }] }),
    ]),
  );
});
afterAll(async () => {
  for (const line of lines.values()) line.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('the sockets of the signer', () => {
  it.each(CALLERS)('let %s make the calls that are its own', (caller) => {
    expect([...callsOf(caller)].toSorted()).toEqual([...WANTED[caller]].toSorted());
  });

  it.each(CALLERS.flatMap((caller) => keysOf(CALLS).map((call) => [caller, call] as const)))(
    'answer %s at %s by that',
    async (caller, call) => {
      reached.length = 0;
      warned.length = 0;
      const ask = lines.get(caller)?.vault[call] as (...input: readonly unknown[]) => Promise<unknown>;
      const isOwn = WANTED[caller].includes(call);
      await expect(ask(...INPUTS[call])).rejects.toMatchObject(
        isOwn ? { code: 'SIGNER_UNAVAILABLE' } : { code: 'POLICY_DENIED', details: { rule: 'caller' } },
      );
      expect(reached).toEqual(isOwn ? [call] : []);
      // The log names it for the operator: an honest process makes none of these.
      expect(warned).toEqual(isOwn ? [] : [{ call, caller }]);
    },
  );
});
