/**
 * Holds back one sentence: spl-token's bigint helper prefers a native addon whose install script is denied here on purpose (it
 * has a published buffer overflow, and its pure form does the same), and says so on stderr at every start.
 */
const SENTENCE = 'bigint: Failed to load bindings, pure JS will be used (try npm run rebuild?)';
const warn = console.warn.bind(console);
console.warn = (...args) => {
  if (args[0] !== SENTENCE) warn(...args);
};
