import { type Address, type Instruction, WSOL_MINT } from '@tradepost/solana';
import { concat, key, text, u8, u64 } from '@tradepost/solana/bytes';
import type { LaunchParams } from '../../intents/kinds/launch/params.ts';

/** The parties to a call of a pad's program: accounts that the message itself proves to be the wallet's. */
export type PadParties = {
  readonly wallet: Address;
  readonly mint: Address;
  /** The creator's associated account of the mint; null when the message opens none. */
  readonly holding: Address | null;
  /** The wrapped-SOL account that the message opens and closes; null where it opens none. */
  readonly wrapped: Address | null;
};

type Role = 'wallet' | 'mint' | 'holding' | 'wrapped' | 'config' | 'wsol';

type Call = {
  /** Of the instruction. Source of truth: the programs' IDLs. */
  readonly discriminator: readonly number[];
  /** How many accounts it takes. */
  readonly accounts: number;
  /** The role of the account at each place; the program derives or checks the others itself. */
  readonly roles: Readonly<Record<number, Role>>;
  /** The bytes that must follow the discriminator: from the start, and up to the end. The pad's own settings are between them. */
  readonly begins: (params: LaunchParams, parties: PadParties) => Uint8Array;
  readonly ends: (params: LaunchParams) => Uint8Array;
};

const NOTHING = new Uint8Array(0);
const names = ({ spec, uri }: LaunchParams): Uint8Array =>
  concat(text(spec.name), text(spec.symbol), text(uri));
/** Exactly the lamports that were agreed for exactly the least that was. */
const buys = ({ firstBuy }: LaunchParams): Uint8Array =>
  concat(u64(firstBuy?.lamports ?? 0n), u64(firstBuy?.minTokens ?? 0n));

const exactly = (whole: Call['begins']): Pick<Call, 'begins' | 'ends'> => ({
  begins: whole,
  ends: () => NOTHING,
});

const DBC_CREATE = { ...exactly(names) };
const DBC_BUY: Call = {
  discriminator: [248, 198, 158, 145, 225, 117, 135, 200],
  accounts: 15,
  roles: { 1: 'config', 3: 'wrapped', 4: 'holding', 7: 'mint', 8: 'wsol', 9: 'wallet' },
  ...exactly(buys),
};

/** Per pad: the forms of its creation, and of the first buy. */
const PADS: Readonly<Record<string, { readonly creates: readonly Call[]; readonly buys: readonly Call[] }>> =
  {
    'meteora-dbc': {
      creates: [
        {
          discriminator: [140, 85, 215, 176, 102, 54, 104, 79],
          accounts: 16,
          roles: { 0: 'config', 2: 'wallet', 3: 'mint', 4: 'wsol', 10: 'wallet' },
          ...DBC_CREATE,
        },
        {
          discriminator: [169, 118, 51, 78, 145, 110, 220, 155],
          accounts: 14,
          roles: { 0: 'config', 2: 'wallet', 3: 'mint', 4: 'wsol', 8: 'wallet' },
          ...DBC_CREATE,
        },
      ],
      buys: [DBC_BUY],
    },
    'pump-fun': {
      creates: [
        {
          discriminator: [214, 144, 76, 236, 95, 139, 49, 180],
          accounts: 16,
          roles: { 0: 'mint', 5: 'wallet' },
          // Neither mayhem nor cashback, the schedule's creator fee, and fees to the creator, not to holders.
          ...exactly((params, { wallet }) => concat(names(params), key(wallet), new Uint8Array(11))),
        },
      ],
      buys: [
        {
          discriminator: [56, 252, 116, 8, 158, 223, 205, 95],
          accounts: 18,
          roles: { 2: 'mint', 5: 'holding', 6: 'wallet' },
          ...exactly((params) => concat(buys(params), u8(1))),
        },
      ],
    },
    'raydium-launchlab': {
      creates: [
        {
          discriminator: [67, 153, 175, 39, 218, 16, 38, 32],
          accounts: 18,
          roles: { 0: 'wallet', 1: 'wallet', 2: 'config', 6: 'mint', 7: 'wsol' },
          // A constant-product curve over the whole supply; how much of it is sold for how much, the configuration bounds.
          begins: (params) => concat(u8(params.spec.decimals), names(params), u8(0), u64(params.spec.supply)),
          // No part of the supply is kept back.
          ends: () => new Uint8Array(24 + 1),
        },
      ],
      buys: [
        {
          discriminator: [250, 234, 13, 123, 213, 156, 19, 236],
          accounts: 18,
          roles: { 0: 'wallet', 2: 'config', 5: 'holding', 6: 'wrapped', 9: 'mint', 10: 'wsol' },
          ...exactly((params) => concat(buys(params), u64(0n))),
        },
      ],
    },
  };

/**
 * Whether the calls of a pad's program are the launch in the intent's row. They must have the agreed names, the wallet as creator and
 * payer, the signing mint and the agreed configuration. The first buy must have its amount and minimum, out of and into the wallet's own
 * accounts. An unknown pad launches nothing.
 */
export function isPadLaunch(
  calls: readonly Instruction[],
  params: LaunchParams,
  parties: PadParties,
): boolean {
  const pad = PADS[params.pad];
  const [create, buy, ...rest] = calls;
  if (pad === undefined || create === undefined || rest.length > 0) return false;
  if ((buy === undefined) !== (params.firstBuy === null)) return false;
  return (
    pad.creates.some((form) => isCall(create, form, params, parties)) &&
    (buy === undefined || pad.buys.some((form) => isCall(buy, form, params, parties)))
  );
}

function isCall(given: Instruction, form: Call, params: LaunchParams, parties: PadParties): boolean {
  const { data, accounts } = given;
  const at = (role: Role): Address | null =>
    role === 'config' ? params.config : role === 'wsol' ? WSOL_MINT : parties[role];
  const begins = concat(Uint8Array.from(form.discriminator), form.begins(params, parties));
  const ends = form.ends(params);
  const isExact = ends.length === 0;
  return (
    accounts.length === form.accounts &&
    Object.entries(form.roles).every(([index, role]) => {
      const expected = at(role);
      return expected !== null && accounts[Number(index)]?.address === expected;
    }) &&
    (isExact ? data.length === begins.length : data.length >= begins.length + ends.length) &&
    begins.every((byte, index) => data[index] === byte) &&
    ends.every((byte, index) => data[data.length - ends.length + index] === byte)
  );
}
