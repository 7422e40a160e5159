import { storeSuite } from '../store-suite.test-support.ts';
import { newPostgresPlace } from './postgres-scene.test-support.ts';

storeSuite('PostgreSQL', newPostgresPlace);
