/** The stand-ins that the production shape is tried on, named here alone. */
export { createPerson, type Person, startLocalTelegram } from '@tradepost/local-telegram';
export { startDeskChain } from '../../src/local/desk/index.ts';
export { startLocalMail } from '../../src/local/mail/index.ts';
export { addressesOf } from '../../src/local/stand-ins.ts';
