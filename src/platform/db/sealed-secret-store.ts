import type { SealedSecretStore } from '../ports/sealed-secret-store.ts';
import type { Connection } from './connection.ts';

export function createPrismaSealedSecretStore({ prisma }: Connection): SealedSecretStore {
  return {
    find: async (name) => await prisma().sealedSecret.findUnique({ where: { name } }),
    insert: async ({ name, kekId, wrapped }) => {
      const { count } = await prisma().sealedSecret.createMany({
        data: [{ name, kekId, wrapped: Uint8Array.from(wrapped) }],
        skipDuplicates: true,
      });
      return count > 0;
    },
    rewrap: async ({ name, kekId, wrapped }, expected) => {
      const { count } = await prisma().sealedSecret.updateMany({
        where: { name, kekId: expected },
        data: { kekId, wrapped: Uint8Array.from(wrapped) },
      });
      return count > 0;
    },
  };
}
