import { readFile } from 'node:fs/promises';
import { HeedOptionsError } from '../option-checks.js';
import { UsageError } from './command-line.js';
import { failureText } from './failure-text.js';
import { readPolicyChange } from './policy-change.js';
import type { PolicyChange } from './policy-change.js';

/** @throws UsageError that names the file, for what cannot be read, is no JSON, or has options that are refused */
export async function readPolicyFile(path: string): Promise<PolicyChange> {
  const options = parsed(await textOf(path), path);
  try {
    return readPolicyChange(options);
  } catch (error) {
    if (error instanceof HeedOptionsError) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${failureText(error)}`);
  }
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\u{feff}/u, ''));
  } catch (error) {
    throw new UsageError(`${path} is no JSON: ${failureText(error)}`);
  }
}
