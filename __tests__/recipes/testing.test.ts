// These two recipes are tests themselves; here they are run.
import '../../examples/recipes/mock-adapter.test';
import '../../examples/recipes/virtual-clock.test';
