import { describeVault } from '../../conformance/vault.ts';

describeVault('the signer in this process', async (vault) => ({ vault, close: async () => undefined }));
