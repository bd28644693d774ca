import { connect, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls } from 'node:tls';
import { AppError } from '../../core/errors/app-error.ts';
import { readTlsIdentity, rolesIn, type TlsFiles } from './tls-identity.ts';

/** Where a signer may be: a socket of this machine, or a port of another with both sides' certificates. */
export type SignerPlace =
  | { readonly path: string }
  | { readonly host: string; readonly port: number; readonly files: TlsFiles };

/** As an operator names it. */
export function nameOf(place: SignerPlace): string {
  return 'path' in place ? place.path : `tls://${place.host}:${place.port}`;
}

/** Who answers at a port: a signer, or a witness, which keeps lines and is asked nothing else. */
export type Answering = 'signer' | 'witness';

/** A machine that is gone without a word, and a process that hangs, refuse no connection: the system alone would wait for minutes. */
const DIAL_MS = 3_000;

/**
 * Connects to a signer. A certificate is believed when the authority signed it for this host and for the role `role`. The files are read
 * anew each time. A server that refuses this side's certificate ends the connection after it was made. Throws SIGNER_UNAVAILABLE, also where
 * no connection is made within `mostMs`, and CONFIG_INVALID for files that cannot be read.
 */
export async function dialSigner(
  place: SignerPlace,
  role: Answering = 'signer',
  mostMs: number = DIAL_MS,
): Promise<Socket> {
  const line = 'path' in place ? connect(place.path) : await dialTls(place, role);
  const event = 'path' in place ? 'connect' : 'secureConnect';
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      line.destroy();
      reject(unavailable(`${nameOf(place)} does not answer within ${mostMs} ms`));
    }, mostMs);
    line.on('error', (error) => {
      clearTimeout(late);
      line.destroy();
      reject(unavailable(`${nameOf(place)} does not answer (${codeOf(error)})`, error));
    });
    line.once(event, () => {
      clearTimeout(late);
      resolve(line);
    });
  });
}

async function dialTls(
  place: Extract<SignerPlace, { readonly host: string }>,
  role: Answering,
): Promise<Socket> {
  const { host, port, files } = place;
  return connectTls({
    host,
    port,
    ...(await readTlsIdentity(files)),
    minVersion: 'TLSv1.3',
    checkServerIdentity: (name, certificate) => {
      const wrong = checkServerIdentity(name, certificate);
      if (wrong !== undefined) return wrong;
      return rolesIn(certificate).has(role) ? undefined : new Error(`its certificate is of no ${role}`);
    },
  });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? String(error.code) : error.message;
}

/** The error of a signer that gives no answer. */
export function unavailable(cause: string, original?: unknown): AppError<'SIGNER_UNAVAILABLE'> {
  return new AppError('SIGNER_UNAVAILABLE', { cause }, { cause: original });
}
