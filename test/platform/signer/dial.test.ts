import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dialSigner } from '../../../src/platform/signer/dial.ts';
import { hasOpenssl, makeCerts } from '../../support/signer-certs.ts';

describe.skipIf(!hasOpenssl)('the way to a signer on the network', () => {
  it('is given up where a machine takes the connection and says nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dial-'));
    const files = await makeCerts(join(folder, 'certs'), 'a', '127.0.0.1', 'signer');
    // As the system does for a process that hangs.
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    await expect(dialSigner({ host: '127.0.0.1', port, files }, 'signer', 200)).rejects.toMatchObject({
      code: 'SIGNER_UNAVAILABLE',
      details: { cause: expect.stringContaining('does not answer within 200 ms') },
    });
    silent.close();
    await rm(folder, { recursive: true, force: true });
  });
});
