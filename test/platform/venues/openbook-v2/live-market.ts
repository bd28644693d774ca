import { Keypair } from '@solana/web3.js';
import {
  type Address,
  ASSOCIATED_TOKEN_PROGRAM,
  addressBytes,
  OPENBOOK_V2_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import {
  accountView,
  associatedTokenAddress,
  type MintFacts,
  programAddress,
  textSeed,
} from '@tradepost/venues';
import { expect } from 'vitest';
import { BOOK_SIDE } from '../../../../packages/venues/src/openbook-v2/layout.ts';
import { instructionDiscriminator } from '../../../../packages/venues/src/shared/discriminator.ts';
import {
  joinBytes,
  littleEndian,
  readonlyMeta,
  u64,
  writableMeta,
  writableSignerMeta,
} from '../../../../packages/venues/src/shared/instruction-data.ts';
import { AccountBytes, buildMint } from '../../../../packages/venues/test/shared/build.ts';
import { address } from '../../../../src/core/address/address.ts';
import { fundTrader, type Localnet } from '../shared/exchange/localnet.ts';

const EVENT_HEAP_BYTES = 91_288;
const absent = readonlyMeta(OPENBOOK_V2_PROGRAM);

export type LiveMarketInput = {
  readonly baseLotSize?: bigint;
  readonly quoteLotSize?: bigint;
  /** Parts of a million; a negative maker fee is a rebate out of the taker's. */
  readonly makerFee?: bigint;
  readonly takerFee?: bigint;
};

/** Where a maker's order stands: bids buy the base token. */
export type MakerOrder = {
  readonly side: 'bid' | 'ask';
  readonly priceLots: bigint;
  readonly baseLots: bigint;
  /** Unix seconds at which the order dies; absent for never. */
  readonly expiresAt?: bigint;
};

/** A market on the real program, opened and filled with the program's own instructions. */
export type LiveMarket = {
  readonly id: Address;
  readonly mints: readonly [MintFacts, MintFacts];
  /** Opens an account of orders for the trader; several may make the same market. */
  openMaker(): Address;
  place(maker: Address, order: MakerOrder): void;
  /** Events that wait for somebody to process them: 0 when every maker was credited in place. */
  waitingEvents(): number;
};

export function openLiveMarket(chain: Localnet, input: LiveMarketInput = {}): LiveMarket {
  const fresh = () => address(Keypair.generate().publicKey.toBase58());
  const mints = [buildMint(fresh(), { decimals: 9 }), buildMint(fresh())] as const;
  for (const mint of mints) chain.setMint(mint);
  const key = Keypair.generate();
  const id = address(key.publicKey.toBase58());
  const [bids, asks, eventHeap] = [fresh(), fresh(), fresh()];
  const blank = (at: Address, bytes: number) =>
    chain.set(at, { ...new AccountBytes(bytes).ownedBy(OPENBOOK_V2_PROGRAM), lamports: 10n ** 10n });
  blank(bids, BOOK_SIDE.minBytes);
  blank(asks, BOOK_SIDE.minBytes);
  blank(eventHeap, EVENT_HEAP_BYTES);
  const authority = programAddress(OPENBOOK_V2_PROGRAM, [textSeed('Market'), addressBytes(id)]);
  const vaults = mints.map((mint) => associatedTokenAddress(authority, mint.mint, TOKEN_PROGRAM));
  const [baseVault, quoteVault] = vaults as [Address, Address];
  const name = textSeed('TEST');
  const failed = chain.run(
    [
      {
        programId: OPENBOOK_V2_PROGRAM,
        accounts: [
          writableSignerMeta(id),
          readonlyMeta(authority),
          writableMeta(bids),
          writableMeta(asks),
          writableMeta(eventHeap),
          writableSignerMeta(chain.trader),
          writableMeta(baseVault),
          writableMeta(quoteVault),
          readonlyMeta(mints[0].mint),
          readonlyMeta(mints[1].mint),
          readonlyMeta(SYSTEM_PROGRAM),
          readonlyMeta(TOKEN_PROGRAM),
          readonlyMeta(ASSOCIATED_TOKEN_PROGRAM),
          absent,
          absent,
          readonlyMeta(chain.trader),
          absent,
          absent,
          absent,
          readonlyMeta(programAddress(OPENBOOK_V2_PROGRAM, [textSeed('__event_authority')])),
          readonlyMeta(OPENBOOK_V2_PROGRAM),
        ],
        data: joinBytes(
          instructionDiscriminator('create_market'),
          littleEndian(BigInt(name.length), 4),
          name,
          // The oracle's settings: no confidence filter (a float 0), no limit of staleness.
          [0, 0, 0, 0, 0],
          u64(input.quoteLotSize ?? 1n),
          u64(input.baseLotSize ?? 1_000_000n),
          littleEndian(input.makerFee ?? 0n, 8),
          u64(input.takerFee ?? 0n),
          u64(0n),
        ),
      },
    ],
    [key],
  );
  expect(failed, 'create_market').toBeNull();

  const indexer = programAddress(OPENBOOK_V2_PROGRAM, [
    textSeed('OpenOrdersIndexer'),
    addressBytes(chain.trader),
  ]);
  const wallets = mints.map((mint) => fundTrader(chain, mint, 2n ** 62n)) as [Address, Address];
  let opened = 0;

  return {
    id,
    mints,
    openMaker: () => {
      if (opened === 0) {
        const accounts = [
          writableSignerMeta(chain.trader),
          writableSignerMeta(chain.trader),
          writableMeta(indexer),
          readonlyMeta(SYSTEM_PROGRAM),
        ];
        const data = instructionDiscriminator('create_open_orders_indexer');
        expect(chain.run([{ programId: OPENBOOK_V2_PROGRAM, accounts, data }]), 'indexer').toBeNull();
      }
      opened++;
      const maker = programAddress(OPENBOOK_V2_PROGRAM, [
        textSeed('OpenOrders'),
        addressBytes(chain.trader),
        littleEndian(BigInt(opened), 4),
      ]);
      const accounts = [
        writableSignerMeta(chain.trader),
        writableSignerMeta(chain.trader),
        absent,
        writableMeta(indexer),
        writableMeta(maker),
        readonlyMeta(id),
        readonlyMeta(SYSTEM_PROGRAM),
      ];
      const data = joinBytes(instructionDiscriminator('create_open_orders_account'), [1, 0, 0, 0, 0x6d]);
      expect(chain.run([{ programId: OPENBOOK_V2_PROGRAM, accounts, data }]), 'open orders').toBeNull();
      return maker;
    },
    place: (maker, order) => {
      const isBid = order.side === 'bid';
      const accounts = [
        writableSignerMeta(chain.trader),
        writableMeta(maker),
        absent,
        writableMeta(wallets[isBid ? 1 : 0]),
        writableMeta(id),
        writableMeta(bids),
        writableMeta(asks),
        writableMeta(eventHeap),
        writableMeta(isBid ? quoteVault : baseVault),
        absent,
        absent,
        readonlyMeta(TOKEN_PROGRAM),
      ];
      const data = joinBytes(
        instructionDiscriminator('place_order'),
        [isBid ? 0 : 1],
        u64(order.priceLots),
        u64(order.baseLots),
        u64(order.priceLots * order.baseLots * 2n),
        u64(0n),
        // A limit order that rests; it cancels nothing of its own owner.
        [0],
        u64(order.expiresAt ?? 0n),
        [0],
        [20],
      );
      expect(chain.run([{ programId: OPENBOOK_V2_PROGRAM, accounts, data }]), 'place_order').toBeNull();
    },
    waitingEvents: () => accountView(chain.get(eventHeap)?.data ?? new Uint8Array()).u16(12),
  };
}
