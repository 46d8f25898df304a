CREATE TABLE `page` (
  `page_id` int,
  `page_namespace` int,
  `page_title` x
);
INSERT INTO `page` VALUES (1,0,'Main'),(2,0,'O\'H');
