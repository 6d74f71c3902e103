hot!(BASE, _BASE);

//~ 1:12: the hot list names `_BASE`, which is no instruction [hot-unknown]
