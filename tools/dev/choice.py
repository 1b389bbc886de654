"""Which tests the options of ./dev test select."""
import features


class Choice:
    def __init__(self, options):
        self.full, self.seed, self.preset, self.room = options.full, options.seed, options.preset, options.room
        self.workers = options.workers
        self.rows = None
        if options.row or options.home:
            homes = {row.id for row in features.load().rows.values() if row.home == options.home}
            self.rows = homes | set(options.row or ())
        self.words = " ".join([*(options.row or ()), *(w for w in (options.home, options.room, options.preset) if w)]) or "this tree"

    @property
    def narrowed(self):
        return self.rows is not None or self.room is not None or self.preset is not None or self.workers is not None

    def takes(self, row, room=None):
        """A claim about `row`, from the tests of `room`."""
        if self.rows is not None and row not in self.rows:
            return False
        return self.room is None or self.room in (row, room)

    def presets(self, among):
        return [p for p in among if self.preset in (None, p)]
