import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { PeerCertificate } from 'node:tls';
import { AppError } from '../../core/errors/app-error.ts';

/** The files of a process's own certificate, its key, and the authority that both sides believe. */
export type TlsFiles = { readonly cert: string; readonly key: string; readonly ca: string };
/** Their contents. */
export type TlsIdentity = { readonly cert: Buffer; readonly key: Buffer; readonly ca: Buffer };

const VARIABLES = { cert: 'SIGNER_TLS_CERT', key: 'SIGNER_TLS_KEY', ca: 'SIGNER_TLS_CA' } as const;
const ROLE = 'URI:tradepost:role:';

/** Reads the three files as they are now. Throws CONFIG_INVALID with the variable of a file that cannot be read. */
export async function readTlsIdentity(files: TlsFiles): Promise<TlsIdentity> {
  const read = (name: keyof TlsFiles): Promise<Buffer> =>
    readFile(files[name]).catch((error: unknown) => {
      const cause = error instanceof Error ? error.message : String(error);
      throw new AppError('CONFIG_INVALID', { problems: [`${VARIABLES[name]}: ${cause}.`] }, { cause: error });
    });
  const [cert, key, ca] = await Promise.all([read('cert'), read('key'), read('ca')]);
  return { cert, key, ca };
}

/** The roles that an authority wrote into a certificate, such as `worker`; none for a certificate of another kind. */
export function rolesIn({ subjectaltname }: Pick<PeerCertificate, 'subjectaltname'>): ReadonlySet<string> {
  const names = (subjectaltname ?? '').split(', ');
  // A quoted name holds a comma or a quotation mark, and no role does.
  return new Set(names.filter((name) => name.startsWith(ROLE)).map((name) => name.slice(ROLE.length)));
}

/** The common name of a process's own certificate: its name among the others. Throws CONFIG_INVALID where it has none. */
export async function nameIn(files: TlsFiles): Promise<string> {
  const { cert } = await readTlsIdentity(files);
  const problem = (cause: string): AppError =>
    new AppError('CONFIG_INVALID', { problems: [`${VARIABLES.cert}: ${cause}.`] });
  const subject = ((): string => {
    try {
      return new X509Certificate(cert).subject;
    } catch {
      throw problem(`${files.cert} is no certificate`);
    }
  })();
  const name = /^CN=(.{1,64})$/m.exec(subject)?.[1];
  if (name === undefined) throw problem(`${files.cert} has no common name`);
  return name;
}
