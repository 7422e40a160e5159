import tseslint from 'typescript-eslint';

/* One dialect: see "How the code is written" in CONTRIBUTING.md. */
const moduleConstant = ':matches(Program, ExportNamedDeclaration) > VariableDeclaration[kind="const"]';
const dialect = [
  {
    selector: ':matches(PropertyDefinition, MethodDefinition, AccessorProperty) > PrivateIdentifier',
    message: 'Use the private keyword.',
  },
  {
    selector: `${moduleConstant} > VariableDeclarator[id.name=/[a-z]/] > :matches(Literal, BinaryExpression[operator=/^(\\*|\\+|-|\\/|<<|\\*\\*)$/]).init`,
    message: 'Module constants that are numbers, strings or regular expressions are UPPER_CASE.',
  },
  {
    selector: `${moduleConstant} > VariableDeclarator[id.name=/^[A-Z0-9_]+$/] > :matches(ObjectExpression, ArrayExpression, ArrowFunctionExpression, NewExpression).init`,
    message: 'Module constants that are objects, arrays or functions are camelCase.',
  },
];

export default tseslint.config(
  { ignores: ['dist/', 'data/', 'coverage/', 'node_modules/'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 20],
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'node:crypto',
              importNames: ['generateKeyPairSync'],
              message: 'Its keys may wait for ever when exported: see src/dnssec/generate-jwk.ts.',
            },
          ],
        },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  { files: ['src/dnssec/generate-jwk.ts'], rules: { 'no-restricted-imports': 'off' } },
  {
    // Markup has an attribute on each line.
    files: ['console/src/**/*.tsx'],
    rules: { 'max-lines-per-function': ['error', { max: 90, skipBlankLines: true, skipComments: true }] },
  },
  // A translation is one file.
  { files: ['console/src/text/en.ts'], rules: { 'max-lines': 'off' } },
  {
    files: ['src/**/*.ts', 'console/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.ts', '**/*.test-support.ts'],
    rules: { 'no-restricted-syntax': ['error', ...dialect] },
  },
  {
    files: ['**/*.test.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      'max-lines': 'off',
      'no-console': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
