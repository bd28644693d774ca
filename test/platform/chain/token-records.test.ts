import {
  AccountState,
  AuthorityType,
  createInitializeDefaultAccountStateInstruction,
  createInitializeInterestBearingMintInstruction,
  createInitializeMetadataPointerInstruction,
  createInitializeMintInstruction,
  createInitializePausableConfigInstruction,
  createInitializePermanentDelegateInstruction,
  createInitializeTransferFeeConfigInstruction,
  createSetAuthorityInstruction,
  ExtensionType,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { type ChainAccount, METADATA_PROGRAM } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { startDeskChain } from '../../../src/local/desk/index.ts';
import { createRpcChain } from '../../../src/platform/chain/rpc-chain.ts';
import { createTokenRecords } from '../../../src/platform/chain/token-records.ts';

const key = () => Keypair.generate();
const text = ({ publicKey }: Keypair) => address(publicKey.toBase58());

describe('the record of a mint on the chain', () => {
  let local: Awaited<ReturnType<typeof startDeskChain>>;
  let rpc: Connection;
  const payer = key();
  beforeAll(async () => {
    local = await startDeskChain({ slotMs: 0, seed: 'records', wsPort: null });
    rpc = new Connection(local.rpcUrl, 'confirmed');
    await rpc.requestAirdrop(payer.publicKey, 10_000_000_000);
    local.advanceSlots(3);
  });
  afterAll(() => local.stop());

  const run = async (instructions: readonly TransactionInstruction[], signers: readonly Keypair[]) => {
    const { blockhash } = await rpc.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash } as never);
    transaction.add(...instructions).sign(payer, ...signers);
    await rpc.sendRawTransaction(transaction.serialize());
    local.advanceSlots(3);
  };

  it('holds every power that the real program wrote, with its holder', async () => {
    const [mint, delegate, configurer, collector, rater, pauser] = [key(), key(), key(), key(), key(), key()];
    const extensions = [
      ExtensionType.TransferFeeConfig,
      ExtensionType.PermanentDelegate,
      ExtensionType.InterestBearingConfig,
      ExtensionType.DefaultAccountState,
      ExtensionType.MetadataPointer,
      ExtensionType.PausableConfig,
    ];
    const at = mint.publicKey;
    const program = TOKEN_2022_PROGRAM_ID;
    const size = getMintLen(extensions);
    const uri = `https://desk.example/metadata/${'ab'.repeat(32)}.json`;
    const metadata = tokenMetadata(at, payer.publicKey, ['Pup', 'PUP', uri]);
    const lamports = await rpc.getMinimumBalanceForRentExemption(size + 4 + 1_000);
    await run(
      [
        SystemProgram.createAccount({
          fromPubkey: payer.publicKey,
          newAccountPubkey: at,
          lamports,
          space: size,
          programId: program,
        }),
        createInitializeTransferFeeConfigInstruction(
          at,
          configurer.publicKey,
          collector.publicKey,
          250,
          1_000n,
          program,
        ),
        createInitializePermanentDelegateInstruction(at, delegate.publicKey, program),
        createInitializeInterestBearingMintInstruction(at, rater.publicKey, -125, program),
        createInitializeDefaultAccountStateInstruction(at, AccountState.Frozen, program),
        createInitializeMetadataPointerInstruction(at, payer.publicKey, at, program),
        createInitializePausableConfigInstruction(at, pauser.publicKey, program),
        createInitializeMintInstruction(at, 6, payer.publicKey, payer.publicKey, program),
        metadata,
        createSetAuthorityInstruction(at, payer.publicKey, AuthorityType.MintTokens, null, [], program),
      ],
      [mint],
    );
    const records = createTokenRecords(createRpcChain({ urls: [local.rpcUrl] }));
    const found = await records.find(text(mint));
    expect(found).toMatchObject({
      token: {
        name: 'Pup',
        symbol: 'PUP',
        updateAuthority: text(payer),
        mintAuthority: null,
        freezeAuthority: text(payer),
        extensions: {
          permanentDelegate: text(delegate),
          defaultFrozen: true,
          pausable: true,
          interestBearing: true,
          transferFee: { authority: text(configurer), newer: { bps: 250, maximum: 1_000n } },
        },
      },
      metadata: { kind: 'token-2022', uri, updateAuthority: text(payer) },
      feeCollector: text(collector),
      interest: { authority: text(rater), bps: -125 },
      pauser: text(pauser),
    });
    expect(found?.slot).toBeGreaterThan(0n);
  });

  it('holds the link of a Metaplex record, and is null for what is no mint', async () => {
    const records = createTokenRecords(createRpcChain({ urls: [local.rpcUrl] }));
    const [pup] = local.world.tokens.filter(({ symbol }) => symbol === 'PUP');
    if (pup === undefined) throw new Error('no PUP in the world');
    expect(await records.find(pup.mint)).toMatchObject({
      token: { symbol: 'PUP' },
      metadata: { kind: 'metaplex' },
    });
    expect(await records.find(text(payer))).toBeNull();
    expect(await records.find(text(key()))).toBeNull();
  });
});

describe('a Metaplex record', () => {
  const mint = text(key());
  const holder = text(key());
  /** As the program lays it out, with creators and everything behind them. */
  const bytes = (mutable: boolean) => {
    const string = (value: string, length: number) => {
      const body = Buffer.alloc(4 + length);
      body.writeUInt32LE(length);
      body.write(value, 4);
      return body;
    };
    const creators = Buffer.alloc(1 + 4 + 2 * 34);
    creators[0] = 1;
    creators.writeUInt32LE(2, 1);
    return Buffer.concat([
      Buffer.from([4]),
      new PublicKey(holder).toBuffer(),
      new PublicKey(mint).toBuffer(),
      string('Pup', 32),
      string('PUP', 10),
      string('https://x.example/a.json', 200),
      Buffer.from([0xf4, 0x01]),
      creators,
      Buffer.from([1, mutable ? 1 : 0, 1, 255]),
    ]);
  };
  const plainMint = Buffer.alloc(82);
  plainMint[44] = 6;
  plainMint[45] = 1;
  const find = (data: Uint8Array, owner = METADATA_PROGRAM) => {
    const account = (program: string, content: Uint8Array): ChainAccount => ({
      lamports: 1n,
      owner: address(program),
      data: content,
      executable: false,
    });
    const accounts = [
      account('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', plainMint),
      account(owner, data),
    ];
    return createTokenRecords({ accounts: async () => ({ slot: 1n, accounts }) }).find(mint);
  };

  it('can be changed by its update authority while it is mutable, and by nobody after', async () => {
    const metadata = { kind: 'metaplex', uri: 'https://x.example/a.json' };
    const [open, sealed] = [await find(bytes(true)), await find(bytes(false))];
    expect(open?.metadata).toEqual({ ...metadata, updateAuthority: holder });
    expect(sealed?.metadata).toEqual({ ...metadata, updateAuthority: null });
    // The trade card reads it from here.
    expect([open?.token.updateAuthority, sealed?.token.updateAuthority]).toEqual([holder, null]);
  });

  it('counts for nothing when it is torn, or another program wrote it', async () => {
    const whole = bytes(true);
    for (const length of [0, 1, 60, 100, 300, whole.length - 4]) {
      const found = await find(whole.subarray(0, length));
      expect(found?.metadata ?? null).toBeNull();
    }
    expect((await find(whole, address('11111111111111111111111111111111')))?.metadata).toBeNull();
  });
});

/** `Initialize` of the token metadata interface: name, symbol, uri as borsh strings. */
function tokenMetadata(
  mint: PublicKey,
  authority: PublicKey,
  words: readonly string[],
): TransactionInstruction {
  const strings = words.map((word) => {
    const body = Buffer.from(word);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(body.length);
    return Buffer.concat([length, body]);
  });
  return new TransactionInstruction({
    programId: TOKEN_2022_PROGRAM_ID,
    keys: [
      { pubkey: mint, isSigner: false, isWritable: true },
      { pubkey: authority, isSigner: false, isWritable: false },
      { pubkey: mint, isSigner: false, isWritable: false },
      { pubkey: authority, isSigner: true, isWritable: false },
    ],
    data: Buffer.concat([Buffer.from([210, 225, 30, 162, 88, 184, 77, 141]), ...strings]),
  });
}
