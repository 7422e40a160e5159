import ts from 'typescript';
import { lineOf, walk, type Source } from './source-tree.ts';

/** Globals that a pure file must not use, and what to do instead. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  Date: 'take the time as an argument',
  performance: 'take the time as an argument',
  'Math.random': 'take random numbers as an argument',
  crypto: 'take random numbers as an argument',
  process: 'take settings as arguments',
  console: 'return the message, or take a Log as an argument',
  fetch: 'do no I/O here',
  setTimeout: 'leave waiting to the caller',
  setInterval: 'leave waiting to the caller',
  setImmediate: 'leave waiting to the caller',
  queueMicrotask: 'leave waiting to the caller',
  Buffer: 'use Uint8Array: the pure folders run in a browser too',
  require: 'import statically',
  globalThis: 'take it as an argument',
};

export interface GlobalUse {
  readonly name: string;
  readonly line: number;
  readonly advice: string;
}

/** Finds forbidden globals used as values. Ignores members (`x.process`) and names that the file declares. */
export function findForbiddenGlobals(source: Source): GlobalUse[] {
  const declared = declaredNames(source.tree);
  const found: GlobalUse[] = [];
  walk(source.tree, (node) => {
    if (!ts.isIdentifier(node) || isMemberName(node) || isInType(node) || declared.has(node.text)) return;
    if (node.text === 'Date' && isDateArithmetic(node)) return;
    const name = node.text === 'Math' ? node.parent.getText(source.tree) : node.text;
    const advice = Object.hasOwn(FORBIDDEN, name) ? FORBIDDEN[name] : undefined;
    if (advice !== undefined) found.push({ name, line: lineOf(source, node), advice });
  });
  return found;
}

/** `new Date(ms)` and `Date.UTC(…)` convert a given time without reading the clock. */
function isDateArithmetic({ parent }: ts.Identifier): boolean {
  if (ts.isNewExpression(parent)) return (parent.arguments?.length ?? 0) > 0;
  return ts.isPropertyAccessExpression(parent) && parent.name.text === 'UTC';
}

function declaredNames(tree: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  walk(tree, (node) => {
    const declares =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isImportSpecifier(node);
    if (declares && node.name !== undefined && ts.isIdentifier(node.name)) names.add(node.name.text);
  });
  return names;
}

/** `x.name`, `{ name: … }` and declarations of members. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  const names =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent);
  return names && parent.name === node;
}

function isInType(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node.parent) ||
    ts.isQualifiedName(node.parent) ||
    ts.isExpressionWithTypeArguments(node.parent)
  );
}
