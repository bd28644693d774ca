import {
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeAccount3Instruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  createPauseInstruction,
  createThawAccountInstruction,
  createTransferCheckedInstruction,
  type ExtensionType,
  getAccountLen,
  getAssociatedTokenAddressSync,
  getMintLen,
} from '@solana/spl-token';
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { deriveKey, seedOf } from '@tradepost/local-chain';
import { type Address, TOKEN_2022_PROGRAM } from '@tradepost/solana';
import { address } from '../../src/core/address/address.ts';

export type MadeToken = { readonly mint: Address; readonly program: Address; readonly decimals: number };

/** An extension of a mint, and the instruction that sets it up before the mint is initialised. */
export type MintExtension = {
  readonly type: ExtensionType;
  readonly setUp: (mint: PublicKey, authority: PublicKey) => TransactionInstruction;
};

/** The local chain's own treasury, which holds what its pools do not: it gives tokens, makes mints and accounts of all kinds. */
export function createTokenMaker(rpcUrl: string, seed: string) {
  const key = deriveKey(seedOf(seed), 'treasury');
  const maker = new PublicKey(key.address);
  const connection = new Connection(rpcUrl, 'confirmed');

  async function run(
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[] = [],
  ): Promise<void> {
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: maker, recentBlockhash: blockhash });
    transaction.add(...instructions);
    if (signers.length > 0) transaction.partialSign(...signers);
    transaction.addSignature(maker, Buffer.from(key.sign(transaction.serializeMessage())));
    const signature = await connection.sendRawTransaction(transaction.serialize());
    for (;;) {
      const [status] = (await connection.getSignatureStatuses([signature])).value;
      if (status?.err) throw new Error(JSON.stringify(status.err));
      if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized') return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  const associated = (owner: Address, { mint, program }: MadeToken): PublicKey =>
    getAssociatedTokenAddressSync(new PublicKey(mint), new PublicKey(owner), true, new PublicKey(program));

  /** Opens a token account at an address of its own, which no program derives from its owner. */
  async function openOther(
    owner: Address,
    { mint, program }: MadeToken,
    extensions: readonly ExtensionType[] = [],
  ): Promise<Address> {
    const account = Keypair.generate();
    const space = getAccountLen([...extensions]);
    await run(
      [
        SystemProgram.createAccount({
          fromPubkey: maker,
          newAccountPubkey: account.publicKey,
          space,
          lamports: await connection.getMinimumBalanceForRentExemption(space),
          programId: new PublicKey(program),
        }),
        createInitializeAccount3Instruction(
          account.publicKey,
          new PublicKey(mint),
          new PublicKey(owner),
          new PublicKey(program),
        ),
      ],
      [account],
    );
    return address(account.publicKey.toBase58());
  }

  return {
    maker,
    connection,
    run,
    associated: (owner: Address, token: MadeToken): Address => address(associated(owner, token).toBase58()),
    openOther,

    /** Sends units to an owner's associated account, or to the account that is named. */
    async give(
      owner: Address,
      token: MadeToken,
      units: bigint,
      account: Address | null = null,
    ): Promise<void> {
      const to = account === null ? associated(owner, token) : new PublicKey(account);
      const [mint, program] = [new PublicKey(token.mint), new PublicKey(token.program)];
      await run([
        ...(account === null
          ? [
              createAssociatedTokenAccountIdempotentInstruction(
                maker,
                to,
                new PublicKey(owner),
                mint,
                program,
              ),
            ]
          : []),
        createTransferCheckedInstruction(
          associated(key.address as Address, token),
          mint,
          to,
          maker,
          units,
          token.decimals,
          [],
          program,
        ),
      ]);
    },

    /** A new Token-2022 mint with these extensions; the treasury is its authority and holds the supply. */
    async makeMint(
      extensions: readonly MintExtension[],
      { decimals = 6, supply = 10n ** 15n, thaws = false } = {},
    ): Promise<MadeToken> {
      const mint = Keypair.generate();
      const program = new PublicKey(TOKEN_2022_PROGRAM);
      const space = getMintLen(extensions.map(({ type }) => type));
      const token = { mint: address(mint.publicKey.toBase58()), program: TOKEN_2022_PROGRAM, decimals };
      const own = associated(key.address as Address, token);
      await run(
        [
          SystemProgram.createAccount({
            fromPubkey: maker,
            newAccountPubkey: mint.publicKey,
            space,
            lamports: await connection.getMinimumBalanceForRentExemption(space),
            programId: program,
          }),
          ...extensions.map(({ setUp }) => setUp(mint.publicKey, maker)),
          createInitializeMint2Instruction(mint.publicKey, decimals, maker, maker, program),
        ],
        [mint],
      );
      await run([
        createAssociatedTokenAccountIdempotentInstruction(maker, own, maker, mint.publicKey, program),
        ...(thaws ? [createThawAccountInstruction(own, mint.publicKey, maker, [], program)] : []),
        createMintToInstruction(mint.publicKey, own, maker, supply, [], program),
      ]);
      return token;
    },

    /** The authority of a pausable mint stops all its transfers. */
    async pause({ mint }: MadeToken): Promise<void> {
      await run([createPauseInstruction(new PublicKey(mint), maker, [], new PublicKey(TOKEN_2022_PROGRAM))]);
    },
  };
}

export type TokenMaker = ReturnType<typeof createTokenMaker>;
