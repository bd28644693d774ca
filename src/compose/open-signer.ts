import type { Config } from '../config/index.ts';
import { feesOf } from '../engine/fees/rules/fee-table.ts';
import { adoptRows, assertAdopted } from '../engine/signing/use/adopt-rows.ts';
import { createSigner } from '../engine/signing/use/create-signer.ts';
import type { SignerDeps } from '../engine/signing/use/deps.ts';
import type { LateCheck } from '../platform/certificate-check.ts';
import { sha256 } from '../platform/games/game-seeds.ts';
import type { GameSeeds } from '../platform/ports/game-seeds.ts';
import type { Logger } from '../platform/ports/logger.ts';
import type { Vault } from '../platform/ports/vault.ts';
import { nameOf, type SignerPlace } from '../platform/signer/dial.ts';
import { createSocketVault, type SocketVault } from '../platform/signer/socket-vault.ts';
import type { Keyring } from '../platform/vault/kek.ts';
import { meetKey } from '../platform/vault/prove-key.ts';
import type { Adapters } from './adapters.ts';
import { openKeyHolder } from './open-key-holder.ts';
import { kekOptions, openKeyring } from './open-keyring.ts';
import { openSigning } from './open-signing.ts';

type OwnParts = Pick<SignerDeps, 'guardRules'> & {
  readonly config: Pick<Config, 'journalDir' | 'kek' | 'databaseUrl' | 'feeTable' | 'roles'>;
  readonly log: Logger;
  /** Believes no row until it has the signer's public key, from here. */
  readonly certificates: Pick<LateCheck, 'begin' | 'beginGuards'>;
  readonly print: (line: string) => void;
};

/** How long a signer that starts at the same time is waited for. */
const PATIENCE_MS = 60_000;

/** The keys in this process, or the way to the process that has them. */
export type Keys = {
  readonly held: { readonly keyring: Keyring } | { readonly line: SocketVault };
  readonly close: () => void;
};

/** The parts of the rest of the program that need the master key. */
export type OpenedSigner = { readonly vault: Vault; readonly gameSeeds: GameSeeds };

/**
 * Opens the configured master key, or reaches the signer that holds it. Throws KEK_UNAVAILABLE, or SIGNER_UNAVAILABLE when no
 * signer answers within a minute.
 */
export async function openKeys(
  config: Config,
  { print, stopping }: { readonly print: (line: string) => void; readonly stopping: AbortSignal },
): Promise<Keys> {
  const places: readonly SignerPlace[] =
    config.signerSocket === null ? config.signerUrls : [{ path: config.signerSocket }];
  if (config.kek !== null || places.length === 0) {
    const [current, ...older] = kekOptions(config);
    return { held: { keyring: await openKeyring(current, older) }, close: () => undefined };
  }
  const line = createSocketVault({ places });
  await line.ready(0).catch(async () => {
    print(`Waiting for the signer at ${places.map(nameOf).join(', ')}…`);
    await line.ready(PATIENCE_MS, stopping);
  });
  return { held: { line }, close: line.close };
}

/**
 * The vault as every role asks it, with its end. Throws SECRET_UNREADABLE when a secret of the service is under no key of the ring. Throws
 * CONFIG_INVALID for a database that `assertAdopted` refuses, and the errors of `startSigning` and `openSignerJournal`.
 */
export async function openSigner(
  keys: Keys,
  adapters: Adapters,
  own: OwnParts,
): Promise<{ readonly opened: OpenedSigner; readonly stop: () => Promise<void> }> {
  const { held } = keys;
  const { vault, stop } =
    'line' in held
      ? { vault: held.line.vault, stop: async () => undefined }
      : await openOwnSigner(held.keyring, adapters, own);
  if ('line' in held) {
    own.certificates.begin(await vault.certificateKey());
    // Where no person is at the other end, guards are stopped and changed in no other way.
    const stopsAlone = !own.config.roles.includes('bot');
    const certifyGuard: Vault['certifyGuard'] = (input) =>
      stopsAlone ? vault.certifyStop(input) : vault.certifyGuard(input);
    own.certificates.beginGuards({ ...vault, certifyGuard });
  }
  return { opened: { vault, gameSeeds: { seedOf: (round) => vault.gameSeed(round), sha256 } }, stop };
}

async function openOwnSigner(
  keyring: Keyring,
  adapters: Adapters,
  own: OwnParts,
): Promise<{ readonly vault: Vault; readonly stop: () => Promise<void> }> {
  const { config, log, guardRules } = own;
  const opened = await openKeyHolder({
    ...adapters,
    keyring,
    aggregatorPrograms: adapters.aggregators.flatMap(({ programs }) => programs),
  });
  // After the secrets of the service: a key of another installation did not open them and is not written down.
  await meetKey(keyring.current, adapters.keyRegistry, adapters.clock.now());
  // The stand-ins of one's own machine: nothing of theirs is worth a question.
  const adopts = config.kek?.kind === 'local' && config.databaseUrl === null;
  own.certificates.begin(opened.certifier.publicKey);
  const rows = adapters.certificateRows;
  if (adopts) await adoptOwn({ ...opened, rows, now: adapters.clock.now() }, own.print);
  else await assertAdopted(rows);
  const signing = await openSigning({
    ...adapters,
    keyring,
    keys: opened.keys,
    seals: opened.seals,
    certifier: opened.certifier,
    folder: config.journalDir,
    adopts,
    guardRules,
    log,
  });
  const fees = feesOf(config.feeTable);
  const vault = createSigner({ ...adapters, ...opened, ...signing, log, guardRules, fees });
  own.certificates.beginGuards(vault, signing.signing.guards);
  return { vault, stop: signing.stop };
}

async function adoptOwn(deps: Parameters<typeof adoptRows>[0], print: (line: string) => void): Promise<void> {
  const first = await deps.rows.unadopted();
  if (!Object.values(first).some(Boolean)) return;
  const { people, wallets, orders, guards } = await adoptRows(deps, { write: true });
  print(
    `Certified ${people} people, ${wallets} wallets, ${guards} guards and ${orders} orders of an earlier release.`,
  );
}
