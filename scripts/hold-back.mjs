/**
 * Holds back one sentence. The bigint helper of spl-token prefers a native addon, and says so on stderr at every start. The addon's install
 * script is denied here on purpose: it has a published buffer overflow, and its pure form does the same.
 */
const SENTENCE = 'bigint: Failed to load bindings, pure JS will be used (try npm run rebuild?)';
const warn = console.warn.bind(console);
console.warn = (...args) => {
  if (args[0] !== SENTENCE) warn(...args);
};
