/** The stand-ins that the production shape is tried on, named here alone. */
export { startLocalChain } from '../../src/local/chain/index.ts';
export { createPerson, type Person, startLocalTelegram } from '../../src/local/telegram/index.ts';
