import { posix } from 'node:path';
import ts from 'typescript';
import { lineOf, walk, type Source } from './source-tree.ts';

export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** `type`: removed by the compiler. `later`: `import()` and worker modules, loaded at run time. */
  readonly kind: 'value' | 'type' | 'later';
}

/** Many tests ask for the same imports, and walking a tree takes long. */
const known = new WeakMap<Source, readonly Import[]>();

/** Finds all imports of a file: imports, re-exports, `import()`, `import('…')` types and `new URL('./x.ts', …)`. */
export function findImports(source: Source): readonly Import[] {
  const imports = known.get(source) ?? readImports(source);
  known.set(source, imports);
  return imports;
}

function readImports(source: Source): Import[] {
  const found: Import[] = [];
  const add = (node: ts.Node | undefined, kind: Import['kind']): void => {
    if (node === undefined || !ts.isStringLiteral(node)) return;
    found.push({ specifier: node.text, line: lineOf(source, node), kind });
  };
  walk(source.tree, (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node) ? 'type' : 'value');
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly ? 'type' : 'value');
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, 'type');
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], 'later');
    } else if (isModuleUrl(node)) add(node.arguments?.[0], 'later');
  });
  return found;
}

/** Returns the path of the imported file relative to the root of the tree; undefined for packages and Node modules. */
export function resolveImport(source: Source, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return posix.normalize(posix.join(posix.dirname(source.path), specifier));
}

/** `@scope/name/sub` → `@scope/name`. */
export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function isTypeImport({ importClause }: ts.ImportDeclaration): boolean {
  if (importClause === undefined) return false;
  if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = importClause;
  if (name !== undefined || namedBindings === undefined || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.length > 0 && namedBindings.elements.every((element) => element.isTypeOnly);
}

function isModuleUrl(node: ts.Node): node is ts.NewExpression {
  if (!ts.isNewExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== 'URL')
    return false;
  const path = node.arguments?.at(0);
  const base = node.arguments?.at(1);
  const isModule = path !== undefined && ts.isStringLiteral(path) && path.text.endsWith('.ts');
  return isModule && base?.getText() === 'import.meta.url';
}
