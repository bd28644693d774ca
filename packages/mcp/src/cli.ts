#!/usr/bin/env node
import { runCli } from './run-cli.ts';

await runCli(process.argv.slice(2), process.env);
